package io.evenkeel.model.kind;

import io.evenkeel.model.ContainerStatus;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.PodStatus.ExtendedClaim;
import io.evenkeel.model.PodStatus.MadeClaim;
import io.evenkeel.model.PodStatus.Mapping;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Parts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A pod's {@code status}. What is read of its containers is alike in all pods of a workload, the conditions are not. */
final class PodStatusFields {
    private static final String RESIZE_PENDING = "PodResizePending";
    private static final String INFEASIBLE = "Infeasible";
    private static final String TRUE = "True";

    private record Conditions(
            Optional<PodCondition> scheduled,
            Optional<PodCondition> disruptionTarget,
            Optional<PodCondition> shard,
            boolean resizeInfeasible,
            boolean ready) {
        static final Conditions NONE = of(false, false);
        static final Conditions INFEASIBLE_RESIZE = of(true, false);
        static final Conditions IS_READY = of(false, true);

        private static Conditions of(boolean resizeInfeasible, boolean ready) {
            return new Conditions(Optional.empty(), Optional.empty(), Optional.empty(), resizeInfeasible, ready);
        }

        static Conditions scheduled(Optional<PodCondition> condition) {
            return new Conditions(condition, Optional.empty(), Optional.empty(), false, false);
        }

        static Conditions disruptionTarget(Optional<PodCondition> condition) {
            return new Conditions(Optional.empty(), condition, Optional.empty(), false, false);
        }

        static Conditions shard(Optional<PodCondition> condition) {
            return new Conditions(Optional.empty(), Optional.empty(), condition, false, false);
        }

        boolean isNone() {
            return equals(NONE);
        }

        /** Each by itself. */
        List<Conditions> apart() {
            List<Conditions> all = new ArrayList<>();
            scheduled.ifPresent(_ -> all.add(scheduled(scheduled)));
            disruptionTarget.ifPresent(_ -> all.add(disruptionTarget(disruptionTarget)));
            shard.ifPresent(_ -> all.add(shard(shard)));
            if (resizeInfeasible) {
                all.add(INFEASIBLE_RESIZE);
            }
            if (ready) {
                all.add(IS_READY);
            }
            return all;
        }

        /** The condition that this is alone, where more is read of it than that it is there. */
        Optional<PodCondition> only() {
            return scheduled.or(() -> disruptionTarget).or(() -> shard);
        }

        String type() {
            return only().map(PodCondition::type).orElse(ready ? PodCondition.READY : RESIZE_PENDING);
        }

        String reason() {
            return only().map(PodCondition::reason).orElse(ready ? "" : INFEASIBLE);
        }

        String status() {
            return only().map(PodCondition::status).orElse(ready ? TRUE : "");
        }

        Conditions and(Conditions more) {
            if (isNone() || more.isNone()) {
                return isNone() ? more : this;
            }
            return new Conditions(
                    scheduled.or(() -> more.scheduled),
                    disruptionTarget.or(() -> more.disruptionTarget),
                    shard.or(() -> more.shard),
                    resizeInfeasible || more.resizeInfeasible,
                    ready || more.ready);
        }
    }

    private static final Message<Conditions> CONDITION = Message.<Conditions>of(fields -> {
                var type = fields.keyString(
                                "type",
                                1,
                                PodCondition.POD_SCHEDULED,
                                PodCondition.DISRUPTION_TARGET,
                                PodCondition.SHARD,
                                PodCondition.READY,
                                RESIZE_PENDING)
                        .from(Conditions::type);
                var status = fields.string("status", 2).from(Conditions::status);
                var lastTransitionTime = fields.time("lastTransitionTime", 4)
                        .from((Conditions one) ->
                                one.only().map(PodCondition::lastTransitionTime).orElse(""));
                var reason = fields.string("reason", 5).from(Conditions::reason);
                var message = fields.uniqueString("message", 6)
                        .from((Conditions one) ->
                                one.only().map(PodCondition::message).orElse(""));
                var observedGeneration = fields.int64("observedGeneration", 7, 0)
                        .from((Conditions one) ->
                                one.only().map(PodCondition::observedGeneration).orElse(0L));
                return read -> {
                    Optional<PodCondition> condition = Optional.of(new PodCondition(
                            read.get(type),
                            read.get(status),
                            read.get(reason),
                            read.get(message),
                            read.get(lastTransitionTime),
                            read.get(observedGeneration)));
                    return switch (read.get(type)) {
                        case PodCondition.POD_SCHEDULED -> Conditions.scheduled(condition);
                        case PodCondition.DISRUPTION_TARGET -> Conditions.disruptionTarget(condition);
                        case PodCondition.SHARD -> Conditions.shard(condition);
                        case PodCondition.READY ->
                            read.get(status).equals(TRUE) ? Conditions.IS_READY : Conditions.NONE;
                        case RESIZE_PENDING ->
                            read.get(reason).equals(INFEASIBLE) ? Conditions.INFEASIBLE_RESIZE : Conditions.NONE;
                        default -> Conditions.NONE;
                    };
                };
            })
            .shared();

    private static final Message<MadeClaim> CLAIM = Message.of(fields -> {
        var name = fields.string("name", 1).from(MadeClaim::name);
        var claim = fields.optionalString("resourceClaimName", 2).from(MadeClaim::resourceClaimName);
        return read -> new MadeClaim(read.get(name), read.get(claim));
    });

    private static final Message<Mapping> MAPPING = Message.of(fields -> {
        var container = fields.string("containerName", 1).from(Mapping::container);
        var resource = fields.string("resourceName", 2).from(Mapping::resource);
        var request = fields.string("requestName", 3).from(Mapping::request);
        return read -> new Mapping(read.get(container), read.get(resource), read.get(request));
    });

    private static final Message<ExtendedClaim> EXTENDED_CLAIM = Message.of(fields -> {
        var mappings = fields.list("requestMappings", 1, MAPPING).from(ExtendedClaim::mappings);
        var claim = fields.uniqueString("resourceClaimName", 2).from(ExtendedClaim::resourceClaimName);
        return read -> new ExtendedClaim(read.get(claim), read.get(mappings));
    });

    static final Message<PodStatus> STATUS = Message.inParts(fields -> {
        var phase = fields.string("phase", 1, PodStatus.PENDING.phase()).from(PodStatus::phase);
        var conditions = fields.merged("conditions", 2, CONDITION, Conditions.NONE, Conditions::and, Conditions::apart)
                .from(PodStatusFields::conditions)
                .apart();
        var startTime = fields.time("startTime", 7).from(PodStatus::startTime).apart();
        var containers =
                fields.list("containerStatuses", 8, ContainerFields.STATUS).from(PodStatus::containers);
        var initContainers =
                fields.list("initContainerStatuses", 10, ContainerFields.STATUS).from((PodStatus _) -> List.of());
        var nominatedNodeName = fields.string("nominatedNodeName", 11).from(PodStatus::nominatedNodeName);
        var claims = fields.list("resourceClaimStatuses", 15, CLAIM)
                .from(PodStatus::claims)
                .apart();
        var extendedClaim = fields.optional("extendedResourceClaimStatus", 18, EXTENDED_CLAIM)
                .from(PodStatus::extendedClaim)
                .apart();
        var allocated = fields.resources("allocatedResources", 19).from(PodStatus::allocatedResources);
        var actual = fields.optional("resources", 20, ContainerFields.ACTUAL).from(PodStatus::actualRequests);
        return new Parts<>(
                read -> new PodStatus(
                        read.get(phase),
                        read.get(nominatedNodeName),
                        together(read.get(containers), read.get(initContainers)),
                        false,
                        read.get(allocated),
                        read.get(actual)),
                (status, read) -> with(
                        status, read.get(startTime), read.get(conditions), read.get(claims), read.get(extendedClaim)));
    });

    private PodStatusFields() {}

    private static Conditions conditions(PodStatus status) {
        return new Conditions(
                status.scheduled(),
                status.disruptionTarget(),
                status.shard(),
                status.resizeInfeasible(),
                status.ready());
    }

    private static List<ContainerStatus> together(List<ContainerStatus> containers, List<ContainerStatus> more) {
        return more.isEmpty()
                ? containers
                : Stream.concat(containers.stream(), more.stream()).toList();
    }

    private static PodStatus with(
            PodStatus status,
            String startTime,
            Conditions conditions,
            List<MadeClaim> claims,
            Optional<ExtendedClaim> extendedClaim) {
        return conditions.isNone() && startTime.isEmpty() && claims.isEmpty() && extendedClaim.isEmpty()
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
                        conditions.disruptionTarget(),
                        conditions.shard(),
                        conditions.ready(),
                        claims,
                        extendedClaim);
    }
}
