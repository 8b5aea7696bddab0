package io.evenkeel.groups.turn;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.Likeness;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.group.GroupMembership;
import io.evenkeel.engine.group.MemberOutcomes;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.groups.JointPlacer;
import io.evenkeel.groups.turn.Plan.Step;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.SchedulingQueue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The turn of a pod whose group is looked after as a whole, where each of its pods is bound as soon as it comes: it goes to the
 * next node of the group's plan. Where that was made for a pod of another kind, one of that kind is taken out and placed first.
 * Where the node does not do any more, the plan is made again.
 */
final class LookAheadTurn {
    private final GroupEngine engine;
    private final SchedulingQueue queue;
    private final MemberOutcomes outcomes;
    private final Planner planner;
    private final Plans plans;
    private final LongSupplier clock;

    LookAheadTurn(
            GroupEngine engine,
            SchedulingQueue queue,
            MemberOutcomes outcomes,
            GroupLook look,
            NamespaceCooldown rests,
            LongSupplier clock) {
        this.engine = engine;
        this.queue = queue;
        this.outcomes = outcomes;
        this.clock = clock;
        this.plans = new Plans(rests);
        this.planner = new Planner(engine, queue, plans, look, clock);
    }

    /** Decides the pod by its group's plan; false where it is to be decided by itself. */
    boolean decide(Attempt attempt, GroupMembership membership, long startedAt) {
        if (attempt.needsExtenders() || !attempt.nominatedNode().isEmpty()) {
            return false;
        }
        GroupKey group = membership.group();
        Likeness likeness = likenessOf(attempt);
        Optional<Plan> plan = plans.of(group).filter(known -> known.hasStepFor(likeness));
        if (plan.isPresent() && follow(plan.get(), attempt, likeness, group, startedAt)) {
            return true;
        }
        return planner.plan(attempt, membership)
                .filter(made -> made.hasStepFor(likeness))
                .filter(made -> follow(made, attempt, likeness, group, startedAt))
                .isPresent();
    }

    Optional<String> shortfall(Pod pod) {
        return engine.membershipOf(pod)
                .flatMap(membership -> plans.of(membership.group())
                        .flatMap(Plan::shortfall)
                        .map(words -> membership.group() + ": " + words));
    }

    /** Nodes have come, gone or changed. */
    void nodesChanged() {
        plans.nodesChanged();
    }

    /** Whoever is left of the group does not need the words any more. */
    void sawLeft(GroupKey group) {
        if (!engine.members().isAnyWaiting(group)) {
            plans.drop(group);
        }
    }

    private Likeness likenessOf(Attempt attempt) {
        return Likeness.of(attempt.admitted(), engine.cluster());
    }

    /** Takes steps up to one for this pod; false where one cannot be taken, and the plan is void. */
    private boolean follow(Plan plan, Attempt attempt, Likeness likeness, GroupKey group, long startedAt) {
        while (plan.next().isPresent()) {
            Step step = plan.next().get();
            boolean isOwn = step.likeness().equals(likeness);
            Optional<Attempt> next = isOwn ? Optional.of(attempt) : takeOneLike(step.likeness(), group);
            Optional<Decision.Placed> placed = next.flatMap(one -> fits(one.pod(), step.node()));
            if (placed.isEmpty()) {
                plans.failed(group, plan, clock.getAsLong());
                next.filter(one -> !isOwn).ifPresent(one -> outcomes.decideAlone(one, startedAt));
                return false;
            }
            plan.advance();
            if (plan.isOver() && plan.shortfall().isEmpty()) {
                plans.drop(group);
            }
            commit(next.get(), placed.get(), step.node(), group, startedAt);
            if (isOwn) {
                return true;
            }
        }
        return false;
    }

    private Optional<Attempt> takeOneLike(Likeness likeness, GroupKey group) {
        for (Pod pod : queue.groups().waiting(group)) {
            Optional<PodInfo> admitted = queue.groups().admitted(pod);
            if (admitted.map(info -> Likeness.of(info, engine.cluster()))
                    .filter(likeness::equals)
                    .isPresent()) {
                return queue.groups().take(pod, clock.getAsLong());
            }
        }
        return Optional.empty();
    }

    private Optional<Decision.Placed> fits(Pod pod, String node) {
        if (engine.cluster().nodes().findPresent(node) < 0) {
            return Optional.empty();
        }
        Decision decision = engine.decisions().decideOn(new Seat(pod, node), List.of(), decided -> decided);
        return decision instanceof Decision.Placed placed ? Optional.of(placed) : Optional.empty();
    }

    private void commit(Attempt attempt, Decision.Placed placed, String node, GroupKey group, long startedAt) {
        Commitment made = outcomes.assume(attempt, placed);
        if (made instanceof Commitment.Refused) {
            plans.drop(group);
        }
        outcomes.follow(attempt, node, made, startedAt);
    }

    /**
     * Plans the pods of a group: those that wait, and as many like them as its owner is still to make. A scheduler is faster than
     * whoever makes pods, so that the first of them would else be decided as if it were the only one.
     */
    private record Planner(GroupEngine engine, SchedulingQueue queue, Plans plans, GroupLook look, LongSupplier clock) {
        /** More than this are not looked ahead for; there are more steps when these have come. */
        private static final int MOST_TO_COME = 5_000;

        /** A plan for the pod and others of its group, kept for these; empty where the pod is better decided by itself. */
        Optional<Plan> plan(Attempt attempt, GroupMembership membership) {
            GroupKey group = membership.group();
            if (!plans.mayPlan(group, clock.getAsLong())) {
                return Optional.empty();
            }
            if (!Interference.areAny(attempt.admitted(), engine.profileOf(attempt.pod()))) {
                dropUnlessItSaysWhy(group);
                return Optional.empty();
            }
            Map<String, Likeness> likenesses = waiting(attempt, group);
            List<Pod> pods = new ArrayList<>(likenesses.keySet().stream()
                    .map(key -> pod(key, attempt))
                    .sorted(TakenPods.ORDER)
                    .toList());
            boolean alike = likenesses.values().stream().distinct().count() == 1;
            if (alike && likenesses.values().iterator().next().mayBeShared()) {
                addThoseToCome(attempt.pod(), membership, pods);
            }
            boolean canContradict = Interference.areMixed(attempt.admitted(), alike, engine.profileOf(attempt.pod()));
            if (pods.size() < 2 || !canContradict) {
                dropUnlessItSaysWhy(group);
                return Optional.empty();
            }
            long begin = clock.getAsLong();
            JointPlacer.Found found = look.places(pods, 0, membership);
            String shortfall = found.placement().shortfall(pods.size());
            Likeness ofAll = Likeness.of(attempt.admitted(), engine.cluster());
            Plan made = new Plan(
                    found.most().stream()
                            .map(seat -> step(seat, likenesses, ofAll))
                            .toList(),
                    shortfall.isEmpty() ? Optional.empty() : Optional.of(shortfall));
            if (!shortfall.isEmpty()) {
                long now = clock.getAsLong();
                plans.inVain(group, found.placement().steps(), now - begin, now);
            }
            plans.put(group, made);
            return Optional.of(made);
        }

        /** The words of a plan that is over are still wanted: why there was no step for the pods that are left. */
        private void dropUnlessItSaysWhy(GroupKey group) {
            if (plans.of(group).filter(Plan::isOver).isEmpty()) {
                plans.drop(group);
            }
        }

        private static Step step(Seat seat, Map<String, Likeness> likenesses, Likeness toCome) {
            return new Step(likenesses.getOrDefault(seat.pod().key(), toCome), seat.node());
        }

        /** The pod, and the waiting ones of its group that are decided as it is. */
        private Map<String, Likeness> waiting(Attempt attempt, GroupKey group) {
            Map<String, Likeness> likenesses = new LinkedHashMap<>();
            likenesses.put(attempt.pod().key(), Likeness.of(attempt.admitted(), engine.cluster()));
            for (Pod pod : queue.groups().waiting(group)) {
                boolean sameProfile =
                        pod.spec().schedulerName().equals(attempt.pod().spec().schedulerName());
                if (sameProfile && pod.status().nominatedNodeName().isEmpty()) {
                    queue.groups()
                            .admitted(pod)
                            .map(info -> Likeness.of(info, engine.cluster()))
                            .ifPresent(likeness -> likenesses.put(pod.key(), likeness));
                }
            }
            return likenesses;
        }

        private Pod pod(String key, Attempt attempt) {
            return key.equals(attempt.pod().key())
                    ? attempt.pod()
                    : queue.find(key).orElseThrow();
        }

        private void addThoseToCome(Pod like, GroupMembership membership, List<Pod> pods) {
            int toCome = membership.terms().expected() - engine.members().known(membership.group());
            for (int i = 0; i < Math.min(toCome, MOST_TO_COME); i++) {
                pods.add(new Pod(like.meta().ofAnother(like.name() + "~" + i), like.spec(), like.status()));
            }
        }

        /**
         * Whether pods of a group can be in each other's way at all. Those that are alike and have one hard rule, as a spread over zones,
         * can be placed in any order that is legal, and come out as many; so each goes where it scores best. Two rules can contradict
         * each other, and so can one for pods that are not alike.
         */
        private static final class Interference {
            private Interference() {}

            /** Whether a pod like this may have anything to look ahead for, whatever the others of its group are. */
            static boolean areAny(PodInfo pod, SchedulingProfile profile) {
                return hardRules(pod, profile) > 0;
            }

            /** The same, where it is known whether all of them are alike. */
            static boolean areMixed(PodInfo pod, boolean alike, SchedulingProfile profile) {
                int rules = hardRules(pod, profile);
                return alike ? rules > 1 : rules > 0;
            }

            /** How many rules about where others are keep the pod off nodes. */
            private static int hardRules(PodInfo pod, SchedulingProfile profile) {
                PodAffinity affinity = pod.shape().affinity().value().affinity();
                int own = (int) pod.shape().spread().value().constraints().stream()
                        .filter(TopologySpreadConstraint::isHard)
                        .count();
                return own
                        + (pod.shape().spread().value().constraints().isEmpty() ? byDefault(profile) : 0)
                        + affinity.requiredAffinity().size()
                        + affinity.requiredAntiAffinity().size();
            }

            private static int byDefault(SchedulingProfile profile) {
                return profile.argsOf(NodeVerdicts.SPREAD)
                        .filter(PodTopologySpreadArgs.class::isInstance)
                        .map(args -> (int) ((PodTopologySpreadArgs) args)
                                .defaultConstraints().stream()
                                        .filter(TopologySpreadConstraint::isHard)
                                        .count())
                        .orElse(0);
            }
        }
    }
}
