package io.evenkeel.groups.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.framework.GroupPlugin.GroupKey;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NamespaceCooldownTest {
    private static final long NOW = Long.MAX_VALUE - 1_000; // a clock may overflow
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static final GroupKey ONE = new GroupKey("pod group", "busy", "one", "");
    private static final GroupKey OTHER = new GroupKey("pod group", "busy", "other", "");

    private final NamespaceCooldown rests = new NamespaceCooldown();

    @Test
    void tenTimesAsLongAsItTook() {
        rests.inVain(ONE, false, 0, MILLI, NOW);
        assertThat(rests.mayPlan(OTHER, NOW + 10 * MILLI - 1)).isFalse();
        assertThat(rests.mayPlan(OTHER, NOW + 10 * MILLI)).isTrue();
    }

    @Test
    void byTheStepsWhereTheClockSaysLess() {
        rests.inVain(ONE, false, 100, 0, NOW);
        assertThat(rests.mayPlan(ONE, NOW + 10 * MILLI - 1)).isFalse();
        assertThat(rests.mayPlan(ONE, NOW + 10 * MILLI)).isTrue();
    }

    @Test
    void gangsWaitOnceThatHasAddedUpAndThenUntilAllIsOver() {
        rests.inVain(ONE, false, 0, 100 * MILLI, NOW);
        assertThat(rests.ofGang(ONE, false, NOW)).isEmpty();
        rests.inVain(OTHER, false, 0, MILLI, NOW);
        long until = NOW + SECOND + 10 * MILLI;
        assertThat(rests.ofGang(ONE, false, NOW)).hasValue(until);
        assertThat(rests.ofGang(ONE, false, until - 1)).hasValue(until);
        assertThat(rests.ofGang(ONE, false, until)).isEmpty();
    }

    @Test
    void whoHasRoomKeptDoesNotRestForTheOthers() {
        rests.inVain(ONE, false, 0, SECOND, NOW);
        assertThat(rests.ofGang(ONE, true, NOW)).isEmpty();
        rests.inVain(ONE, true, 0, 2 * SECOND, NOW);
        assertThat(rests.ofGang(ONE, true, NOW)).hasValue(NOW + 20 * SECOND);
        assertThat(rests.ofGang(ONE, false, NOW)).hasValue(NOW + 10 * SECOND);
    }

    @Test
    void nobodyRestsForEver() {
        rests.inVain(ONE, false, Long.MAX_VALUE, Long.MAX_VALUE, NOW);
        rests.inVain(ONE, false, Long.MAX_VALUE, Long.MAX_VALUE, NOW);
        long longest = TimeUnit.MINUTES.toNanos(5);
        assertThat(rests.mayPlan(ONE, NOW + longest - 1)).isFalse();
        assertThat(rests.mayPlan(ONE, NOW + longest)).isTrue();
    }

    @Test
    void aRestThatIsOverLongSinceTakesNothingOffTheNext() {
        rests.inVain(ONE, false, 0, SECOND, NOW);
        long later = NOW + 60 * SECOND;
        rests.inVain(ONE, false, 0, 50 * MILLI, later);
        assertThat(rests.mayPlan(ONE, later + 500 * MILLI - 1)).isFalse();
        assertThat(rests.ofGang(ONE, false, later))
                .as("too little for gangs to wait")
                .isEmpty();
    }

    @Test
    void whoRestsDoesSoHoweverManyOthersRest() {
        rests.inVain(ONE, false, 0, SECOND, NOW);
        for (int i = 0; i < 10_100; i++) {
            rests.inVain(new GroupKey("pod group", "ns" + i, "one", ""), false, 0, MILLI, NOW + i);
        }
        assertThat(rests.ofGang(ONE, false, NOW + 10 * SECOND - 1)).hasValue(NOW + 10 * SECOND);
    }
}
