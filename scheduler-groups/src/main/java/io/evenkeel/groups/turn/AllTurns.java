package io.evenkeel.groups.turn;

import io.evenkeel.engine.group.GangQuestions;
import io.evenkeel.engine.group.GangQuestions.GangOutlook;
import io.evenkeel.engine.group.GroupMembership;
import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.engine.group.GroupReports;
import io.evenkeel.engine.group.GroupTurns;
import io.evenkeel.engine.group.Groups;
import io.evenkeel.engine.group.Groups.GroupParts;
import io.evenkeel.engine.group.MemberOutcomes;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.run.SchedulingProfile.Gate;
import io.evenkeel.model.GroupObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.RejectedBy;
import io.evenkeel.queue.SchedulingQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The turns of pods that are placed together with others. A pod of a gang takes all of its gang along, and they are placed all or
 * none; others go to the next node of what is planned for their group, one at a time. Pods of no group pass by.
 */
final class AllTurns implements GroupTurns {
    private final GroupEngine engine;
    private final SchedulingQueue queue;
    private final MemberOutcomes outcomes;
    private final GangBackoff pace;
    private final GangTurn gangs;
    private final LookAheadTurn lookAheads;
    private final DegradedGangs degraded;
    private final LongSupplier clock;
    /** Objects of groups that have come or changed since it was last looked at whether pods are missing. */
    private final List<ObjectMeta> changed = new ArrayList<>();

    AllTurns(
            GroupEngine engine,
            SchedulingQueue queue,
            MemberOutcomes outcomes,
            GroupReports reports,
            GroupObserver observer,
            LongSupplier clock) {
        this.engine = engine;
        this.queue = queue;
        this.outcomes = outcomes;
        this.clock = clock;
        this.degraded = new DegradedGangs(engine.members(), reports, observer);
        GroupLook look = new GroupLook(engine, observer, clock);
        NamespaceCooldown rests = new NamespaceCooldown();
        this.pace = new GangBackoff(queue.groups(), rests, look, clock);
        this.gangs = new GangTurn(engine, queue, outcomes, reports, look, pace, degraded, observer, clock);
        this.lookAheads = new LookAheadTurn(engine, queue, outcomes, look, rests, clock);
    }

    @Override
    public boolean gangsGiveWay(long now) {
        return pace.givesWay(now);
    }

    @Override
    public boolean decide(Attempt attempt, long startedAt) {
        Optional<GroupMembership> membership = engine.membershipOf(attempt.pod());
        if (membership.isEmpty()) {
            return waitsForGroup(attempt, startedAt);
        }
        if (membership.get().terms().isGang()) {
            gangs.decide(attempt, membership.get(), startedAt);
            return true;
        }
        return lookAheads.decide(attempt, membership.get(), startedAt);
    }

    /** The object of its group has gone since the pod was let in, and another may come: it is not placed without. */
    private boolean waitsForGroup(Attempt attempt, long startedAt) {
        Optional<Gate> gate = engine.groupOf(attempt.pod()).flatMap(_ -> engine.gateOf(attempt.pod()));
        gate.ifPresent(closed -> outcomes.waits(
                attempt,
                closed.status().message(),
                new RejectedBy(Set.of(closed.plugin()), Set.of()),
                Optional.of(""),
                startedAt));
        return gate.isPresent();
    }

    @Override
    public Optional<String> shortfall(Pod pod) {
        return lookAheads.shortfall(pod);
    }

    @Override
    public void nodesChanged() {
        lookAheads.nodesChanged();
    }

    @Override
    public void termsChanged(ObjectMeta object) {
        engine.members().calledAfter(object).forEach(group -> degraded.termsChanged(group, engine::membershipOf));
    }

    @Override
    public void termsChanged(GroupObject object) {
        termsChanged(object.meta());
        changed.add(object.meta());
    }

    /**
     * Settles all that was told together: of gangs with objects that have come or changed it is looked at whether pods are
     * missing. A gang whose turn is to come is judged by that, and all of them once the cluster is known.
     *
     * <pre>
     *   begun anew   3 of 4 in place, the fourth is yet to be told of   nothing is said
     *   known        the fourth is lined up                             its turn will tell
     * </pre>
     */
    @Override
    public void settle(boolean isClusterKnown) {
        if (!isClusterKnown || changed.isEmpty()) {
            return;
        }
        for (ObjectMeta object : changed) {
            for (GroupKey group : engine.members().calledAfter(object)) {
                Pod member = engine.members().somePlaced(group).orElseThrow();
                engine.membershipOf(member)
                        .filter(membership -> !queue.groups().isAnyLinedUp(membership.group()))
                        .ifPresent(membership -> degraded.update(membership, member));
            }
        }
        changed.clear();
    }

    @Override
    public void sawPlaced(Pod pod) {
        engine.groupOf(pod).ifPresent(group -> {
            queue.groups().joined(group, clock.getAsLong());
            if (degraded.has(group) || engine.members().isAnyWaiting(group)) {
                engine.membershipOf(pod).ifPresent(membership -> sawPlaced(membership, pod));
            }
        });
    }

    private void sawPlaced(GroupMembership membership, Pod pod) {
        GroupKey group = membership.group();
        if (engine.members().placed(group) < membership.terms().minimum()) {
            queue.groups().wakeOne(group, clock.getAsLong()); // fewer are needed now
        }
        if (degraded.has(group)) {
            degraded.update(membership, pod);
        }
    }

    @Override
    public void sawLeft(Pod pod, boolean hasFinished) {
        engine.membershipOf(pod)
                .ifPresentOrElse(
                        membership -> {
                            if (membership.terms().topologyKey().isPresent()) {
                                queue.groups()
                                        .wakeOne(
                                                membership.group(), clock.getAsLong()); // they may go to another domain
                            }
                            lookAheads.sawLeft(membership.group());
                            degraded.sawLeft(membership, pod, hasFinished);
                        },
                        () -> engine.groupOf(pod).ifPresent(degraded::isNoGang));
    }

    /** Found by a {@link java.util.ServiceLoader}: places gangs all or none, and looks ahead for other groups. */
    public static final class Service implements Groups {
        @Override
        public GroupTurns turns(
                GroupParts engine,
                SchedulingQueue queue,
                MemberOutcomes outcomes,
                GroupReports reports,
                GroupObserver observer,
                LongSupplier clock) {
            return new AllTurns(GroupEngine.of(engine), queue, outcomes, reports, observer, clock);
        }

        @Override
        public GangQuestions questions(GroupParts engine, Predicate<Pod> needsExtenders) {
            return new GangAnswers(GroupEngine.of(engine), needsExtenders);
        }
    }

    /** Goes through a gang's turn without a change. */
    private record GangAnswers(GroupEngine engine, Predicate<Pod> needsExtenders) implements GangQuestions {
        @Override
        public Optional<Roll> rollOf(Pod pod) {
            return gangOf(pod)
                    .map(membership -> new Roll(membership, engine.members().known(membership.group())));
        }

        private Optional<GroupMembership> gangOf(Pod pod) {
            return engine.membershipOf(pod)
                    .filter(membership -> membership.terms().isGang());
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
                            Optional.of(
                                    membership.waits(made.why() + "; pod group is waiting for preemption to complete")),
                            List.of(),
                            "");
            };
        }

        private boolean mayBeTaken(Pod pod) {
            Optional<Gate> gate = engine.gateOf(pod);
            return gate.isEmpty() && !pod.isPlaced() && !pod.meta().terminating();
        }
    }
}
