package io.evenkeel.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.FairTurns.Step;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods of a namespace that takes much more work than is usual wait behind others', and no pod else. */
class FairTurnsTest {
    /** Far beyond what is usual in a cluster without nodes, and not as much as is ever owed. */
    private static final long HUGE = 10_000_000;

    private static final long USUAL = 500;

    private final QueueHarness queue = new QueueHarness();

    @BeforeEach
    void bigIsFirst() {
        queue.add(pod("big", "b0", 9));
        queue.add(pod("big", "b1", 9));
        queue.add(pod("small", "s0", 0));
    }

    @Test
    void isBehindOnceItHasTakenMuch() {
        tries("big", HUGE);
        assertThat(queue.next()).isEqualTo("s0");
        assertThat(queue.next()).isEqualTo("b0");
        assertThat(queue.deferred).containsExactly("b0");
    }

    @Test
    void hasItsTurnInOrderUnlessItTakesMuch() {
        IntStream.range(0, 10_000).forEach(_ -> tries("big", USUAL));
        assertThat(queue.next()).isEqualTo("b0");
        assertThat(queue.next()).isEqualTo("b1");
        assertThat(queue.next()).isEqualTo("s0");
        assertThat(queue.deferred).isEmpty();
    }

    @Test
    void catchesUpWhenOthersHaveDoneTheirShare() {
        tries("big", HUGE);
        assertThat(queue.next()).isEqualTo("s0");
        int tries = 0;
        while (queue.turns.isBehind("big")) {
            tries("small", USUAL);
            tries++;
        }
        assertThat(tries * USUAL).isBetween(HUGE * 19 / 10, HUGE * 2);
        queue.add(pod("small", "s1", 0));
        assertThat(queue.next()).isEqualTo("b0");
    }

    @Test
    void onesThatTakeMuchDoNotPayForEachOther() {
        tries("big", HUGE);
        tries("large", HUGE);
        IntStream.range(0, 10).forEach(_ -> tries("large", HUGE));
        assertThat(queue.turns.isBehind("big")).isTrue();
        assertThat(queue.turns.isBehind("large")).isTrue();
    }

    @Test
    void paysForWhateverIsDoneForIt() {
        step("big", HUGE, Step.NEWS);
        assertThat(queue.turns.isBehind("big")).isTrue();
        step("huge", HUGE, Step.HINT);
        assertThat(queue.turns.isBehind("huge")).isTrue();
    }

    @Test
    void owesNoMoreThanOthersCanDoInAWhile() {
        IntStream.range(0, 1_000).forEach(_ -> tries("big", HUGE));
        long done = 0;
        while (queue.turns.isBehind("big")) {
            tries("small", USUAL);
            done += USUAL;
        }
        assertThat(done).isLessThan(5 * HUGE);
    }

    @Test
    void oneAloneNeverWaits() {
        queue.pop();
        queue.pop();
        queue.pop();
        queue.add(pod("big", "low", 0));
        queue.add(pod("big", "high", 9));
        tries("big", HUGE);
        assertThat(queue.next()).isEqualTo("high");
        assertThat(queue.next()).isEqualTo("low");
        assertThat(queue.deferred).isEmpty();
        assertThat(queue.turns.givesWay("big")).isFalse();
    }

    @Test
    void clustersOwnPodsAreNeverBehind() {
        tries("kube-system", HUGE);
        queue.add(pod("kube-system", "dns", 100));
        assertThat(queue.next()).isEqualTo("dns");
    }

    @Test
    void thoseOfAGangMayTakeAsMuchAsAllOfThem() {
        IntStream.range(0, 2_000).forEach(_ -> queue.turns.taken());
        tries("big", HUGE);
        assertThat(queue.turns.isBehind("big")).isFalse();
    }

    @Test
    void workWithinWorkIsChargedOnce() {
        long outer = queue.turns.begin();
        tries("big", HUGE);
        queue.turns.charge("small", outer, Step.NEWS);
        assertThat(queue.turns.isBehind("small")).isFalse();
        assertThat(queue.turns.isBehind("big")).isTrue();
    }

    @Test
    void onesThatAreGoneOrChangeAreFoundWhereTheyWait() {
        tries("big", HUGE);
        assertThat(queue.next()).isEqualTo("s0");
        queue.queue.remove("big/b0", "", queue.now());
        queue.update(pod("big", "b1", 5));
        queue.add(pod("small", "s1", 0));
        assertThat(queue.queue.counts().active()).isEqualTo(2);
        assertThat(queue.next()).isEqualTo("s1");
        assertThat(queue.next()).isEqualTo("b1");
        assertThat(queue.next()).isEmpty();
    }

    @Test
    void oneThatGivesWaySitsItsBackoffOut() {
        Attempt big = queue.pop();
        queue.pop();
        Attempt small = queue.pop();
        tries("small", USUAL);
        tries("big", HUGE);
        queue.reject(big, QueueHarness.TAINTS);
        queue.reject(small, QueueHarness.TAINTS);
        queue.change(QueueHarness.tainted());
        assertThat(queue.next()).isEqualTo("s0");
        assertThat(queue.next()).isEmpty();
    }

    @Test
    void restsAfterMuchWhileOthersAreAround() {
        queue.pop();
        queue.pop();
        queue.pop();
        tries("small", USUAL);
        tries("big", HUGE);
        queue.add(pod("big", "b2", 9));
        assertThat(queue.next()).isEmpty();
        long rested = queue.queue.nextDeadline().orElseThrow();
        queue.add(pod("small", "s1", 0));
        assertThat(queue.next()).isEqualTo("s1");
        queue.at((rested - 1) / 1e9);
        assertThat(queue.next()).isEmpty();
        queue.at(rested / 1e9);
        assertThat(queue.next()).isEqualTo("b2");
    }

    @Test
    void oneThatIsBehindKeepsNobodyElseResting() {
        queue.pop();
        queue.pop();
        queue.pop();
        tries("big", HUGE);
        tries("large", HUGE);
        queue.at(120);
        tries("big", HUGE);
        tries("large", HUGE);
        tries("big", HUGE);
        queue.add(pod("big", "b2", 9));
        assertThat(queue.next()).isEqualTo("b2");
    }

    private void tries(String namespace, long units) {
        step(namespace, units, Step.TRY);
    }

    private void step(String namespace, long units, Step step) {
        long begun = queue.turns.begin();
        queue.cluster.view().work().add(units);
        queue.turns.charge(namespace, begun, step);
    }

    private static Pod pod(String namespace, String name, int priority) {
        return PodBuilder.pod(name).namespace(namespace).priority(priority).build();
    }
}
