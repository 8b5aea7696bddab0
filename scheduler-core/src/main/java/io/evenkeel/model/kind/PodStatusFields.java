package io.evenkeel.model.kind;

import io.evenkeel.model.ContainerStatus;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Parts;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A pod's {@code status}. What is read of its containers is alike in all pods of a workload, the conditions are not. */
final class PodStatusFields {
    private static final String RESIZE_PENDING = "PodResizePending";

    /** What the conditions say that are read. */
    private record Conditions(
            Optional<PodCondition> scheduled, Optional<PodCondition> disruptionTarget, boolean resizeInfeasible) {
        static final Conditions NONE = new Conditions(Optional.empty(), Optional.empty(), false);

        boolean isNone() {
            return scheduled.isEmpty() && disruptionTarget.isEmpty() && !resizeInfeasible;
        }

        Conditions and(Conditions more) {
            if (isNone() || more.isNone()) {
                return isNone() ? more : this;
            }
            return new Conditions(
                    scheduled.or(() -> more.scheduled),
                    disruptionTarget.or(() -> more.disruptionTarget),
                    resizeInfeasible || more.resizeInfeasible);
        }
    }

    private static final Message<Conditions> CONDITION = Message.<Conditions>of(fields -> {
                var type = fields.keyString(
                        "type", 1, PodCondition.POD_SCHEDULED, PodCondition.DISRUPTION_TARGET, RESIZE_PENDING);
                var status = fields.string("status", 2);
                var lastTransitionTime = fields.time("lastTransitionTime", 4);
                var reason = fields.string("reason", 5);
                var message = fields.uniqueString("message", 6);
                var observedGeneration = fields.int64("observedGeneration", 7, 0);
                return read -> {
                    Optional<PodCondition> condition = Optional.of(new PodCondition(
                            read.get(type),
                            read.get(status),
                            read.get(reason),
                            read.get(message),
                            read.get(lastTransitionTime),
                            read.get(observedGeneration)));
                    return switch (read.get(type)) {
                        case PodCondition.POD_SCHEDULED -> new Conditions(condition, Optional.empty(), false);
                        case PodCondition.DISRUPTION_TARGET -> new Conditions(Optional.empty(), condition, false);
                        case RESIZE_PENDING ->
                            new Conditions(
                                    Optional.empty(),
                                    Optional.empty(),
                                    read.get(reason).equals("Infeasible"));
                        default -> Conditions.NONE;
                    };
                };
            })
            .shared();

    static final Message<PodStatus> STATUS = Message.inParts(fields -> {
        var phase = fields.string("phase", 1, PodStatus.PENDING.phase());
        var conditions = fields.merged("conditions", 2, CONDITION, Conditions.NONE, Conditions::and)
                .apart();
        var startTime = fields.time("startTime", 7).apart();
        var containers = fields.list("containerStatuses", 8, ContainerFields.STATUS);
        var initContainers = fields.list("initContainerStatuses", 10, ContainerFields.STATUS);
        var nominatedNodeName = fields.string("nominatedNodeName", 11);
        var allocated = fields.resources("allocatedResources", 19);
        var actual = fields.optional("resources", 20, ContainerFields.ACTUAL);
        return new Parts<>(
                read -> new PodStatus(
                        read.get(phase),
                        read.get(nominatedNodeName),
                        together(read.get(containers), read.get(initContainers)),
                        false,
                        read.get(allocated),
                        read.get(actual)),
                (status, read) -> with(status, read.get(startTime), read.get(conditions)));
    });

    private PodStatusFields() {}

    private static List<ContainerStatus> together(List<ContainerStatus> containers, List<ContainerStatus> more) {
        return more.isEmpty()
                ? containers
                : Stream.concat(containers.stream(), more.stream()).toList();
    }

    private static PodStatus with(PodStatus status, String startTime, Conditions conditions) {
        return conditions.isNone() && startTime.isEmpty()
                ? status
                : new PodStatus(
                        status.phase(),
                        status.nominatedNodeName(),
                        startTime,
                        status.containers(),
                        conditions.resizeInfeasible(),
                        status.allocatedResources(),
                        status.actualRequests(),
                        conditions.scheduled(),
                        conditions.disruptionTarget());
    }
}
