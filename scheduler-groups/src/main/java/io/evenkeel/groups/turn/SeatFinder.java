package io.evenkeel.groups.turn;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.Budget;
import io.evenkeel.groups.JointPlacement;
import io.evenkeel.groups.JointPlacer;
import io.evenkeel.groups.JointPlacer.Found;
import io.evenkeel.groups.JointPlacer.JointTerms;
import java.util.List;
import java.util.Optional;

/** Asks for seats for as many of a gang as are needed, in a legal order, as the cluster is at the moment. */
record SeatFinder(JointPlacer placer, List<PodInfo> pods, int needed, Spending spending) {
    /**
     * @param seats empty where there are none, or none were found
     * @param isRuledOut whether it is known that there are none
     */
    record Answer(Optional<List<Seat>> seats, boolean isRuledOut, String why) {}

    Answer find(Budget budget) {
        boolean all = needed == pods.size();
        Found found = all ? ofAll(placer.place(pods, budget)) : placer.find(pods, JointTerms.enough(needed), budget);
        spending.add(found.placement().steps());
        if (found.most().size() >= needed) {
            return new Answer(Optional.of(found.most().subList(0, needed)), false, "");
        }
        return switch (found.placement()) {
            case JointPlacement.Infeasible impossible -> none(found, impossible.why());
            case JointPlacement.EndStateOnly _ -> none(found, "all would fit at once, and no order is legal");
            case JointPlacement.Unknown unknown -> none(found, unknown.soFar());
            case JointPlacement.Placed _ -> throw new IllegalStateException("of those placed too few are there");
        };
    }

    private Answer none(Found found, String why) {
        return new Answer(Optional.empty(), found.rulesOut(needed, pods.size()), why);
    }

    private static Found ofAll(JointPlacement placement) {
        return new Found(placement, placement instanceof JointPlacement.Placed placed ? placed.order() : List.of());
    }

    /** Steps that were taken, out of the steps allowed. */
    static final class Spending {
        private static final int OVERDRAFT = 16;

        private final Budget budget;
        private long steps;

        Spending(Budget budget) {
            this.budget = budget;
        }

        void add(long more) {
            steps += more;
        }

        long steps() {
            return steps;
        }

        Budget budget() {
            return budget;
        }

        boolean isSpent() {
            return steps >= budget.steps();
        }

        /**
         * Whether so much was taken beyond the budget that it is time to give up. What is found once the budget is spent still has
         * to be checked, which takes little as a rule; letting the rest go unchecked would cost pods, and not time.
         */
        boolean isOverdrawn() {
            return steps / OVERDRAFT >= budget.steps();
        }

        Budget left() {
            return new Budget(Math.max(0, budget.steps() - steps));
        }

        /** A part of all, if there is as much left. */
        Budget part(int parts) {
            return new Budget(Math.min(left().steps(), budget.steps() / parts));
        }
    }
}
