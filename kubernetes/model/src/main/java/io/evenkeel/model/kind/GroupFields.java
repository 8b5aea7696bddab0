package io.evenkeel.model.kind;

import io.evenkeel.model.CoschedulingPodGroup;
import io.evenkeel.model.GroupCondition;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** PodGroups of both API groups. The one of scheduling.x-k8s.io comes as JSON only, and its fields have no numbers. */
final class GroupFields {
    private record Spec(OptionalInt minCount, Optional<String> topologyKey, String disruptionMode) {
        static final Spec NONE = new Spec(OptionalInt.empty(), Optional.empty(), PodGroup.DISRUPTED_BY_POD);
    }

    private static final Message<Integer> GANG = Rows.only(fields -> fields.requiredInt32("minCount", 1));

    private static final Message<OptionalInt> POLICY = Message.of(fields -> {
        var gang = fields.optional("gang", 2, GANG)
                .from((OptionalInt count) -> count.isPresent() ? Optional.of(count.getAsInt()) : Optional.empty());
        return read -> read.get(gang).map(OptionalInt::of).orElse(OptionalInt.empty());
    });

    private static final Message<String> TOPOLOGY = Rows.only(fields -> fields.requiredString("key", 1));

    private static final Message<Optional<String>> CONSTRAINTS = Message.of(fields -> {
        var topology = fields.list("topology", 1, TOPOLOGY)
                .from((Optional<String> key) -> key.stream().toList());
        return read -> first(read.get(topology));
    });

    /** That it is there is all that it says. */
    private static final Message<Boolean> THERE = Message.of(_ -> _ -> true);

    private static final Message<String> DISRUPTION = Message.of(fields -> {
        var all = fields.message("all", 2, THERE, false).from(PodGroup.DISRUPTED_AS_A_WHOLE::equals);
        return read -> read.get(all) ? PodGroup.DISRUPTED_AS_A_WHOLE : PodGroup.DISRUPTED_BY_POD;
    });

    private static final Message<Spec> SPEC = Message.of(fields -> {
        var policy = fields.message("schedulingPolicy", 3, POLICY, OptionalInt.empty())
                .from(Spec::minCount);
        var constraints = fields.message("schedulingConstraints", 4, CONSTRAINTS, Optional.empty())
                .from(Spec::topologyKey);
        var disruptionMode = fields.message("disruptionMode", 6, DISRUPTION, PodGroup.DISRUPTED_BY_POD)
                .from(Spec::disruptionMode);
        return read -> new Spec(read.get(policy), read.get(constraints), read.get(disruptionMode));
    });

    private static final Set<String> CONDITIONS = Set.of(GroupCondition.INITIALLY_SCHEDULED, GroupCondition.DEGRADED);

    private static final Message<Optional<GroupCondition>> CONDITION = Message.of(fields -> {
        var type = fields.keyString("type", 1, GroupCondition.INITIALLY_SCHEDULED, GroupCondition.DEGRADED)
                .from(Rows.ofPresent(GroupCondition::type, ""));
        var status = fields.string("status", 2).from(Rows.ofPresent(GroupCondition::status, ""));
        var observedGeneration =
                fields.int64("observedGeneration", 3, 0).from(Rows.ofPresent(GroupCondition::observedGeneration, 0L));
        var lastTransitionTime =
                fields.time("lastTransitionTime", 4).from(Rows.ofPresent(GroupCondition::lastTransitionTime, ""));
        var reason = fields.string("reason", 5).from(Rows.ofPresent(GroupCondition::reason, ""));
        var message = fields.uniqueString("message", 6).from(Rows.ofPresent(GroupCondition::message, ""));
        return read -> CONDITIONS.contains(read.get(type))
                ? Optional.of(new GroupCondition(
                        read.get(type),
                        read.get(status),
                        read.get(reason),
                        read.get(message),
                        read.get(lastTransitionTime),
                        read.get(observedGeneration)))
                : Optional.empty();
    });

    private static final Message<List<GroupCondition>> STATUS =
            Rows.only(fields -> fields.listOfPresent("conditions", 1, CONDITION));

    static final Message<PodGroup> POD_GROUP = Message.ofObject(fields -> {
        var spec = fields.message("spec", 2, SPEC, Spec.NONE)
                .from((PodGroup group) -> new Spec(group.minCount(), group.topologyKey(), group.disruptionMode()));
        var status = fields.message("status", 3, STATUS, List.of()).from(PodGroup::conditions);
        return read -> group(read.get(Metadata.FIELD), read.get(spec), read.get(status));
    });

    /** Without a number, a group of the coscheduling plugin does not wait for others. */
    private static final Message<Integer> COSCHEDULING_SPEC = Rows.only(fields -> fields.int32("minMember", 1, 0));

    static final Message<CoschedulingPodGroup> COSCHEDULING = Message.ofObject(fields -> {
        var minMember = fields.message("spec", 2, COSCHEDULING_SPEC, 0).from(CoschedulingPodGroup::minMember);
        return read -> new CoschedulingPodGroup(read.get(Metadata.FIELD), read.get(minMember));
    });

    private GroupFields() {}

    private static PodGroup group(ObjectMeta meta, Spec spec, List<GroupCondition> conditions) {
        return new PodGroup(meta, spec.minCount(), spec.topologyKey(), spec.disruptionMode(), conditions);
    }

    private static Optional<String> first(List<String> keys) {
        return keys.isEmpty() ? Optional.empty() : Optional.of(keys.getFirst());
    }
}
