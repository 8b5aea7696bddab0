package io.evenkeel.groups.turn;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.Likeness;
import io.evenkeel.engine.group.GroupMembership;
import io.evenkeel.engine.group.MemberOutcomes;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.groups.turn.Plan.Step;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.SchedulingQueue;
import java.util.List;
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
}
