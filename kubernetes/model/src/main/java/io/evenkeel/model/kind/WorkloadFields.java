package io.evenkeel.model.kind;

import io.evenkeel.model.Service;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.stream.Collectors;

/** The fields of what selects pods: Services, and the controllers of pods. */
final class WorkloadFields {
    /** A plain map that selects by labels, as Services and the oldest controllers have it. */
    private static final Message<Labels> MAP_SPEC = Rows.only(fields -> fields.labels("selector", 2));

    private record Spec(LabelSelector selector, int replicas) {
        static final int DEFAULT_REPLICAS = 1;
        static final Spec NONE = new Spec(LabelSelector.NOTHING, DEFAULT_REPLICAS);
    }

    private static final Message<Spec> OWNER_SPEC = Message.of(fields -> {
        var replicas = fields.int32("replicas", 1, Spec.DEFAULT_REPLICAS).from(Spec::replicas);
        var selector = fields.message("selector", 2, SelectorFields.SELECTOR, LabelSelector.NOTHING)
                .from(Spec::selector);
        return read -> new Spec(read.get(selector), read.get(replicas));
    });

    private static final Message<Spec> OLDEST_OWNER_SPEC = Message.of(fields -> {
        var replicas = fields.int32("replicas", 1, Spec.DEFAULT_REPLICAS).from(Spec::replicas);
        var selector = fields.labels("selector", 2).from((Spec spec) -> labels(spec.selector()));
        return read -> new Spec(selecting(read.get(selector)), read.get(replicas));
    });

    static final Message<Service> SERVICE = Message.ofObject(fields -> {
        var selector = fields.message("spec", 2, MAP_SPEC, Labels.EMPTY).from(Service::selector);
        return read -> new Service(read.get(Metadata.FIELD), read.get(selector));
    });

    static final Message<WorkloadOwner> REPLICA_SET = owner(WorkloadOwner.Kind.REPLICA_SET, OWNER_SPEC);
    static final Message<WorkloadOwner> STATEFUL_SET = owner(WorkloadOwner.Kind.STATEFUL_SET, OWNER_SPEC);

    static final Message<WorkloadOwner> REPLICATION_CONTROLLER =
            owner(WorkloadOwner.Kind.REPLICATION_CONTROLLER, OLDEST_OWNER_SPEC);

    private WorkloadFields() {}

    private static Message<WorkloadOwner> owner(WorkloadOwner.Kind kind, Message<Spec> table) {
        return Message.ofObject(fields -> {
            var spec = fields.message("spec", 2, table, Spec.NONE)
                    .from((WorkloadOwner one) -> new Spec(one.selector(), one.replicas()));
            return read -> new WorkloadOwner(
                    kind,
                    read.get(Metadata.FIELD),
                    read.get(spec).selector(),
                    read.get(spec).replicas());
        });
    }

    /** A ReplicationController's selector is a map. */
    private static Labels labels(LabelSelector selecting) {
        return Labels.of(selecting.requirements().stream()
                .filter(one -> one.operator() == LabelRequirement.Operator.IN)
                .collect(Collectors.toMap(
                        LabelRequirement::key, one -> one.values().getFirst(), (first, _) -> first)));
    }

    private static LabelSelector selecting(Labels labels) {
        return labels.size() == 0 ? LabelSelector.NOTHING : LabelSelector.matchingLabels(labels);
    }
}
