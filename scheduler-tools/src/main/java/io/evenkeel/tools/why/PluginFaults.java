package io.evenkeel.tools.why;

import io.evenkeel.api.Status;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.Excerpt;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A line for each plugin that fails, with the first pod on which it did: a plugin may fail for ten thousand pods, and each time the
 * queue puts two in order.
 */
public final class PluginFaults implements BiConsumer<Pod, RuntimeException> {
    private final Consumer<String> lines;
    private final Set<String> told = new HashSet<>();

    public PluginFaults(Consumer<String> lines) {
        this.lines = lines;
    }

    /** Writes lines of the program's own, like its other warnings. */
    public static PluginFaults on(PrintWriter err) {
        return new PluginFaults(line -> err.println("evenkeel: " + Excerpt.oneLine(line)));
    }

    @Override
    public void accept(Pod pod, RuntimeException fault) {
        if (told.add(source(fault))) {
            lines.accept("pod " + pod.key() + ": " + Status.error(fault).message());
        }
    }

    /** The plugin's name; where the fault has none, the first class of its trace that is not of Java. */
    private static String source(RuntimeException fault) {
        return fault instanceof PluginFailure failure
                ? failure.asObjection().plugin()
                : Arrays.stream(fault.getStackTrace())
                        .map(StackTraceElement::getClassName)
                        .filter(name -> !name.startsWith("java."))
                        .findFirst()
                        .orElse(fault.toString());
    }
}
