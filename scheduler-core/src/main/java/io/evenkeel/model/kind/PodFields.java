package io.evenkeel.model.kind;

import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;

/** Pods. */
final class PodFields {
    private static final PodSpec NO_SPEC = PodSpecFields.SPEC.make(PodSpecFields.SPEC.newValues());

    static final Message<Pod> POD = Message.ofObject(fields -> {
        var spec = fields.message("spec", 2, PodSpecFields.SPEC, NO_SPEC).from(Pod::spec);
        var status = fields.message("status", 3, PodStatusFields.STATUS, PodStatus.PENDING)
                .from(Pod::status);
        return read -> new Pod(read.get(Metadata.FIELD), read.get(spec), read.get(status));
    });

    private PodFields() {}
}
