package io.evenkeel.model.kind;

import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.value.LabelSelector;
import java.util.Set;

/** PodDisruptionBudgets: whom they protect, and what their controller says of them. */
final class DisruptionBudgetFields {
    private record Status(int disruptionsAllowed, Set<String> disruptedPods) {
        static final Status NONE = new Status(0, Set.of());
    }

    private static final Message<LabelSelector> SPEC = Message.of(fields -> {
        var selector = fields.message("selector", 2, SelectorFields.SELECTOR, LabelSelector.NOTHING)
                .from((LabelSelector one) -> one);
        return read -> read.get(selector);
    });

    private static final Message<Status> STATUS = Message.of(fields -> {
        var disruptedPods = fields.timedNames("disruptedPods", 2).from(Status::disruptedPods);
        var disruptionsAllowed = fields.int32("disruptionsAllowed", 3, 0).from(Status::disruptionsAllowed);
        return read -> new Status(read.get(disruptionsAllowed), read.get(disruptedPods));
    });

    static final Message<PodDisruptionBudget> BUDGET = Message.ofObject(fields -> {
        var selector = fields.message("spec", 2, SPEC, LabelSelector.NOTHING).from(PodDisruptionBudget::selector);
        var status = fields.message("status", 3, STATUS, Status.NONE)
                .from((PodDisruptionBudget budget) -> new Status(budget.disruptionsAllowed(), budget.disruptedPods()));
        return read -> new PodDisruptionBudget(
                read.get(Metadata.FIELD),
                read.get(selector),
                read.get(status).disruptionsAllowed(),
                read.get(status).disruptedPods());
    });

    private DisruptionBudgetFields() {}
}
