package io.evenkeel.cel;

import org.jspecify.annotations.Nullable;

/** One evaluation: its variables, its cost as the reference counts it, and its work and memory. */
final class Frame {
    /** Steps, elements and characters that an evaluation may use beside what its cost pays for. */
    private static final long MOST_WORK = 10_000_000;

    final Object[] slots;
    private final long limit;
    private long cost;
    private long work;
    private @Nullable Regex regex;

    Frame(int slots, long limit) {
        this.slots = new Object[slots];
        this.limit = limit;
    }

    long cost() {
        return cost;
    }

    long spent() {
        return cost + work;
    }

    /** A regular expression; the one before is kept. */
    Regex regex(String expression) {
        if (regex == null || !expression.equals(regex.pattern().pattern())) {
            work(100L + expression.length());
            regex = Regex.of(expression);
        }
        return regex;
    }

    void knows(Regex known) {
        regex = known;
    }

    void pay(long more) {
        cost += more;
        if (cost < 0 || cost > limit) {
            throw CelProblem.tooMuchWork();
        }
    }

    void work(long more) {
        work += more;
        if (more < 0 || work < 0 || work > MOST_WORK) {
            throw CelProblem.tooMuchWork();
        }
    }
}
