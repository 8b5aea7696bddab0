package io.evenkeel.app.why;

import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.model.Pod;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Tells a user of each plugin that fails, in a line and by the first pod on which it did: what fails for one pod may fail for ten
 * thousand, and whenever the queue puts two in order.
 */
public final class PluginFaults implements BiConsumer<Pod, RuntimeException> {
    private final Consumer<String> lines;
    private final Set<String> told = new HashSet<>();

    public PluginFaults(Consumer<String> lines) {
        this.lines = lines;
    }

    @Override
    public void accept(Pod pod, RuntimeException fault) {
        if (told.add(source(fault))) {
            lines.accept("pod " + pod.key() + ": " + Status.error(fault).message());
        }
    }

    /** The plugin, or where it failed in the class that is nobody's but its own. */
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
