package io.evenkeel.engine.group.turn;

import io.evenkeel.framework.run.SchedulingProfile.Gate;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Answers what becomes of gangs, as their turns would, for people who want to know. Changes nothing. */
public final class GangQuestions {
    private final GroupEngine engine;
    private final Predicate<Pod> needsExtenders;

    /** @param needsExtenders whether extenders have a say in where a pod goes */
    public GangQuestions(GroupEngine engine, Predicate<Pod> needsExtenders) {
        this.engine = engine;
        this.needsExtenders = needsExtenders;
    }

    /**
     * How many pods of a gang there are.
     *
     * @param known the pods that wait and the pods in place
     */
    public record Roll(GroupMembership membership, int known) {}

    /** The roll of the gang that the pod is one of; empty where it is in none, or in one that there is not. */
    public Optional<Roll> rollOf(Pod pod) {
        return gangOf(pod)
                .map(membership -> new Roll(membership, engine.members().known(membership.group())));
    }

    private Optional<GroupMembership> gangOf(Pod pod) {
        return engine.membershipOf(pod).filter(membership -> membership.terms().isGang());
    }

    /** The outlook of the gang of a pod that waits; empty where it is in none. */
    public Optional<GangOutlook> about(Pod pod) {
        return about(pod, UnaryOperator.identity());
    }

    /** Tells of the gang as if others of it were as they are made here. */
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
                new GangOutlook(membership, inPlace, pods, waits(membership, why), most, "");
            case GangJudge.Verdict.RoomMade made ->
                new GangOutlook(
                        membership,
                        inPlace,
                        pods,
                        waits(membership, made.why() + "; pod group is waiting for preemption to complete"),
                        List.of(),
                        "");
        };
    }

    private static Optional<String> waits(GroupMembership membership, String why) {
        return Optional.of(GangOutlook.said(membership, why));
    }

    private boolean mayBeTaken(Pod pod) {
        Optional<Gate> gate = engine.gateOf(pod);
        return gate.isEmpty() && !pod.isPlaced() && !pod.meta().terminating();
    }
}
