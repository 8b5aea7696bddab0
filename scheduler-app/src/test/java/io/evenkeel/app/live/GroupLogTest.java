package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.FaultLog.GroupLog;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.testing.LogLines;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupLogTest {
    private static final GroupKey TRAIN = new GroupKey("pod group", "shop", "train", "");

    private final LogLines log = new LogLines(GroupLog.class);

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void theLeaderTellsWhenAGangBecomesDegradedAndWhenItIsNot() {
        GroupObserver groups = new FaultLog(SchedulerObserver.NONE, () -> true).groups();
        groups.becameDegraded(TRAIN, 3, 4);
        groups.recovered(TRAIN, 4);

        assertThat(log.lines())
                .containsExactly(
                        "INFO Gang degraded [gang=\"pod group shop/train\", inPlace=\"3\", needed=\"4\"]",
                        "INFO Gang no longer degraded [gang=\"pod group shop/train\", inPlace=\"4\"]");
    }

    @Test
    void aStandbyTellsNothing() {
        GroupObserver groups = new FaultLog(SchedulerObserver.NONE, () -> false).groups();
        groups.becameDegraded(TRAIN, 3, 4);
        groups.recovered(TRAIN, 4);

        assertThat(log.lines()).isEmpty();
    }

    @Test
    void theNextObserverIsToldToo() {
        List<Integer> told = new ArrayList<>();
        new GroupLog(
                        new GroupObserver() {
                            @Override
                            public void degraded(int gangs) {
                                told.add(gangs);
                            }
                        },
                        () -> false)
                .degraded(2);

        assertThat(told).containsExactly(2);
    }

    /** Otherwise a method that is new one day would be told to nobody. */
    @Test
    void everythingIsPassedOn() {
        assertThat(Arrays.stream(GroupObserver.class.getDeclaredMethods())
                        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic()))
                .isNotEmpty()
                .allSatisfy(method -> assertThat(own(method)).isEqualTo(GroupLog.class));
    }

    private static Class<?> own(Method method) throws NoSuchMethodException {
        return GroupLog.class
                .getMethod(method.getName(), method.getParameterTypes())
                .getDeclaringClass();
    }
}
