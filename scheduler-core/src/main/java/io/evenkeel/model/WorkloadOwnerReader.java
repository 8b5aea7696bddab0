package io.evenkeel.model;

import java.util.function.Function;

/** Reads the controllers of pods. Their selectors come in two forms: a LabelSelector, and in the oldest a plain map. */
final class WorkloadOwnerReader implements KindReader {
    private final WorkloadOwner.Kind kind;
    private final Function<JsonCursor, LabelSelector> selectorReader;
    private LabelSelector selector = LabelSelector.NOTHING;

    private WorkloadOwnerReader(WorkloadOwner.Kind kind, Function<JsonCursor, LabelSelector> selectorReader) {
        this.kind = kind;
        this.selectorReader = selectorReader;
    }

    static WorkloadOwnerReader replicaSet() {
        return new WorkloadOwnerReader(WorkloadOwner.Kind.REPLICA_SET, LabelSelectorReader::read);
    }

    static WorkloadOwnerReader statefulSet() {
        return new WorkloadOwnerReader(WorkloadOwner.Kind.STATEFUL_SET, LabelSelectorReader::read);
    }

    static WorkloadOwnerReader replicationController() {
        return new WorkloadOwnerReader(WorkloadOwner.Kind.REPLICATION_CONTROLLER, in -> {
            Labels labels = in.labels();
            return labels.size() == 0 ? LabelSelector.NOTHING : LabelSelector.matchingLabels(labels);
        });
    }

    @Override
    public void field(String name, JsonCursor in) {
        if (!name.equals("spec")) {
            in.skip();
            return;
        }
        in.enterObject();
        while (in.nextField()) {
            if (in.field().equals("selector")) {
                selector = selectorReader.apply(in);
            } else {
                in.skip();
            }
        }
    }

    @Override
    public WorkloadOwner build(ObjectMeta meta) {
        return new WorkloadOwner(kind, meta, selector);
    }
}
