package io.evenkeel.model.kind;

import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;

/** PriorityClasses, which have no spec: all fields stand at the top. */
final class PriorityClassFields {
    static final Message<PriorityClass> PRIORITY_CLASS = Message.ofObject(fields -> {
        var value = fields.int32("value", 2, 0).from(PriorityClass::value);
        var globalDefault = fields.bool("globalDefault", 3, false).from(PriorityClass::globalDefault);
        var preempts = fields.constant("preemptionPolicy", 5, PodSpecFields.PREEMPTION, true)
                .from(PriorityClass::preempts);
        return read -> new PriorityClass(
                read.get(Metadata.FIELD), read.get(value), read.get(globalDefault), read.get(preempts));
    });

    private PriorityClassFields() {}
}
