package io.evenkeel.groups.turn;

import io.evenkeel.engine.group.GangQuestions;
import io.evenkeel.engine.group.GangQuestions.GangOutlook;
import io.evenkeel.engine.group.GroupMembership;
import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.framework.run.SchedulingProfile.Gate;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Goes through a gang's turn without a change. */
record GangAnswers(GroupEngine engine, Predicate<Pod> needsExtenders) implements GangQuestions {
    @Override
    public Optional<Roll> rollOf(Pod pod) {
        return gangOf(pod)
                .map(membership -> new Roll(membership, engine.members().known(membership.group())));
    }

    private Optional<GroupMembership> gangOf(Pod pod) {
        return engine.membershipOf(pod).filter(membership -> membership.terms().isGang());
    }

    @Override
    public Optional<GangOutlook> about(Pod pod, UnaryOperator<Pod> others) {
        return gangOf(pod).map(membership -> outlook(pod, membership, others));
    }

    private GangOutlook outlook(Pod pod, GroupMembership membership, UnaryOperator<Pod> others) {
        List<Pod> pods = new ArrayList<>();
        for (Pod other : engine.members().waiting(membership.group())) {
            if (other.key().equals(pod.key())) {
                pods.add(pod);
            } else if (mayBeTaken(other)) {
                pods.add(others.apply(other));
            }
        }
        if (!pods.contains(pod)) {
            pods.add(pod);
        }
        pods.sort(TakenPods.ORDER);
        int inPlace = engine.members().placed(membership.group());
        Optional<String> unfit = TakenPods.unfit(pods, needsExtenders);
        if (unfit.isPresent()) {
            return new GangOutlook(membership, inPlace, pods, unfit, List.of(), "");
        }
        GroupLook look = new GroupLook(engine, GroupObserver.NONE, () -> 0);
        return switch (new GangJudge(engine, look).judge(pods, membership)) {
            case GangJudge.Verdict.Seated(var seats, var rest) ->
                new GangOutlook(membership, inPlace, pods, Optional.empty(), seats.seats(), rest);
            case GangJudge.Verdict.Nowhere(var why, var most, var _) ->
                new GangOutlook(membership, inPlace, pods, Optional.of(membership.waits(why)), most, "");
            case GangJudge.Verdict.RoomMade made ->
                new GangOutlook(
                        membership,
                        inPlace,
                        pods,
                        Optional.of(membership.waits(made.why() + "; pod group is waiting for preemption to complete")),
                        List.of(),
                        "");
        };
    }

    private boolean mayBeTaken(Pod pod) {
        Optional<Gate> gate = engine.gateOf(pod);
        return gate.isEmpty() && !pod.isPlaced() && !pod.meta().terminating();
    }
}
