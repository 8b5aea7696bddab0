package io.evenkeel.world.plugin;

import io.evenkeel.api.Status;
import io.evenkeel.world.play.Choices;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** At which points the plugins of a world misbehave, how, and until when. */
public final class Whims {
    /** Where a plugin is called; the first is nowhere. */
    enum Point {
        NONE,
        PRE_ENQUEUE,
        PRE_FILTER,
        FILTER,
        POST_FILTER,
        PRE_SCORE,
        SCORE,
        RESERVE,
        UNRESERVE,
        PERMIT,
        PRE_FLIGHT,
        PRE_BIND,
        BIND,
        POST_BIND,
        WAKE_UP
    }

    /** Where something takes long, so that much can happen meanwhile. */
    private static final List<Point> LONG_ONES = List.of(Point.PERMIT, Point.BIND);

    private static final Set<Point> DECISIVE =
            Set.of(Point.PRE_FILTER, Point.FILTER, Point.POST_FILTER, Point.PRE_SCORE, Point.SCORE);

    private static final String NOT_NOW = "not now";
    private static final String NEVER = "never";
    private static final String NO_IDEA = "no idea";
    private static final String WHIM = "a whim";
    private static final String GONE = "com/example/Gone";

    private final Choices choices;
    private final boolean present;
    private final Point one;
    private final Point other;
    private boolean over;
    private long objections;

    /** @param mayBe whether there may be any */
    public Whims(Choices choices, boolean mayBe) {
        this.choices = choices;
        present = choices.oneIn(2) && mayBe;
        one = present ? point() : Point.NONE;
        other = present ? point() : Point.NONE;
    }

    private Point point() {
        return choices.oneIn(2) ? choices.from(LONG_ONES) : Point.values()[choices.below(Point.values().length)];
    }

    /** Whether there are plugins with whims at all. */
    public boolean arePresent() {
        return present;
    }

    /** Everybody behaves from now on. */
    public void end() {
        over = true;
    }

    boolean seizes(Point point) {
        boolean seizes = !over && (point == one || point == other) && choices.oneIn(3);
        if (seizes && DECISIVE.contains(point)) {
            objections++;
        }
        return seizes;
    }

    /** How often they have had a say in where pods may go, or in who goes for them. */
    public long objections() {
        return objections;
    }

    /** Throws now and then what nobody expects there. */
    void mayThrow(Point point) {
        if (seizes(point)) {
            throwSomething();
        }
    }

    /** A verdict, good or bad, or none at all. */
    Status verdict(Point point) {
        if (seizes(point)) {
            switch (choices.below(4)) {
                case 0 -> {
                    return Status.unschedulable(NOT_NOW);
                }
                case 1 -> {
                    return Status.unresolvable(NEVER);
                }
                case 2 -> {
                    return Status.error(NO_IDEA);
                }
                default -> throwSomething();
            }
        }
        return Status.SUCCESS;
    }

    private void throwSomething() {
        if (choices.oneIn(3)) {
            throw new NoClassDefFoundError(GONE);
        }
        throw new IllegalStateException(WHIM);
    }

    /** Whether a pod was told of one. */
    public static boolean areToldOf(String message) {
        return Stream.of(NOT_NOW, NEVER, NO_IDEA, WHIM, GONE).anyMatch(message::contains);
    }

    /** How long something takes that may take its time. */
    long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(1 + choices.below(12_000));
    }

    /** Which of so many ways. */
    int way(int ways) {
        return choices.below(ways);
    }
}
