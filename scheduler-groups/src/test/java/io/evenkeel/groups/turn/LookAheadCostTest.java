package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.LiveScene.node;
import static io.evenkeel.groups.turn.LiveScene.podOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What pods cost that are in a group but have nothing to look ahead for: the same, however many of it wait. */
class LookAheadCostTest {
    private static final int FEW = 100;
    private static final int MANY = 3_000;

    private final LiveScene scene = LiveScene.lookingAhead(1).with(List.of(node("n0", 0)));
    private int pods;

    private void come(int count) {
        for (int i = 0; i < count; i++) {
            scene.put(podOf("job", pods++).build());
        }
    }

    /** The least of some, as classes are loaded now and then. */
    private static long allocatedBy(Runnable step) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            step.run();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    @BeforeEach
    void fewWait() {
        come(FEW);
    }

    @Test
    void toCome() {
        long amongFew = allocatedBy(() -> come(1));
        come(MANY);
        assertThat(allocatedBy(() -> come(1))).isLessThan(4 * amongFew);
    }

    @Test
    void toBeDecided() {
        long amongFew = allocatedBy(scene.scheduler::scheduleNext);
        come(MANY);
        assertThat(allocatedBy(scene.scheduler::scheduleNext)).isLessThan(4 * amongFew);
    }
}
