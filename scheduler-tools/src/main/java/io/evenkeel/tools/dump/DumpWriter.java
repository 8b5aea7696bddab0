package io.evenkeel.tools.dump;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.ObjectWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.Collection;
import java.util.function.UnaryOperator;

/** Writes a dump line by line, so that no more than one object is held as text: a header, the objects, and how many they were. */
public final class DumpWriter {
    private final ObjectWriter objects;
    private final UnaryOperator<String> lines;

    /** @param lines what becomes of each object's line: the same, or one without names */
    public DumpWriter(Kinds kinds, UnaryOperator<String> lines) {
        objects = new ObjectWriter(kinds);
        this.lines = lines;
    }

    /** Writes all of it, and leaves the writer open. Pods that have finished use nothing, and are left out. */
    public void write(DumpHeader header, Collection<? extends KubernetesObject> all, Writer out) throws IOException {
        out.write(header.json());
        out.write('\n');
        long written = 0;
        for (KubernetesObject object : all) {
            if (!(object instanceof UnreadObject)
                    && !(object instanceof Pod pod && pod.status().isFinished())) {
                out.write(lines.apply(objects.json(object)));
                out.write('\n');
                written++;
            }
        }
        out.write("{\"objects\":" + written + "}\n");
        out.flush();
    }
}
