package io.evenkeel.model.read;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.kind.Kinds;

/** Of a pod that cannot be read: who is to place it, and where it is. */
public record PodHeader(String schedulerName, String nodeName) {
    private static final Message<PodHeader> SPEC = Message.of(fields -> {
        var nodeName = fields.string("nodeName", 10);
        var schedulerName = fields.string("schedulerName", 19, "default-scheduler");
        return read -> new PodHeader(read.get(schedulerName), read.get(nodeName));
    });

    static final Message<PodHeader> OBJECT = Message.of(fields -> {
        var spec = fields.message("spec", 2, SPEC, SPEC.make(SPEC.newValues()));
        return read -> read.get(spec);
    });

    /** A pod, known by no more than this and its metadata. */
    public Pod of(ObjectMeta meta) {
        return PodBuilder.from((Pod) Kinds.POD.identity(meta))
                .schedulerName(schedulerName)
                .nodeName(nodeName)
                .build();
    }
}
