package io.evenkeel.model.kind;

import io.evenkeel.model.Service;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;

/** The fields of what selects pods: Services, and the controllers of pods. */
final class WorkloadFields {
    /** A plain map that selects by labels, as Services and the oldest controllers have it. */
    private static final Message<Labels> MAP_SPEC = Message.of(fields -> {
        var selector = fields.labels("selector", 2);
        return read -> read.get(selector);
    });

    private static final Message<LabelSelector> SELECTOR_SPEC = Message.of(fields -> {
        var selector = fields.message("selector", 2, SelectorFields.SELECTOR, LabelSelector.NOTHING);
        return read -> read.get(selector);
    });

    static final Message<Service> SERVICE = Message.ofObject(fields -> {
        var selector = fields.message("spec", 2, MAP_SPEC, Labels.EMPTY);
        return read -> new Service(read.get(Metadata.FIELD), read.get(selector));
    });

    static final Message<WorkloadOwner> REPLICA_SET = owner(WorkloadOwner.Kind.REPLICA_SET);
    static final Message<WorkloadOwner> STATEFUL_SET = owner(WorkloadOwner.Kind.STATEFUL_SET);

    static final Message<WorkloadOwner> REPLICATION_CONTROLLER = Message.ofObject(fields -> {
        var labels = fields.message("spec", 2, MAP_SPEC, Labels.EMPTY);
        return read -> new WorkloadOwner(
                WorkloadOwner.Kind.REPLICATION_CONTROLLER, read.get(Metadata.FIELD), selecting(read.get(labels)));
    });

    private WorkloadFields() {}

    private static Message<WorkloadOwner> owner(WorkloadOwner.Kind kind) {
        return Message.ofObject(fields -> {
            var selector = fields.message("spec", 2, SELECTOR_SPEC, LabelSelector.NOTHING);
            return read -> new WorkloadOwner(kind, read.get(Metadata.FIELD), read.get(selector));
        });
    }

    private static LabelSelector selecting(Labels labels) {
        return labels.size() == 0 ? LabelSelector.NOTHING : LabelSelector.matchingLabels(labels);
    }
}
