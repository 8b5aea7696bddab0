package io.evenkeel.groups.turn;

import io.evenkeel.groups.Budget;

/** Steps that were taken, out of the steps allowed. */
final class Spending {
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
