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
    void doesNotPayByItsOwnWork() {
        tries("big", HUGE);
        IntStream.range(0, 1_000).forEach(_ -> step("big", USUAL, Step.NEWS));
        assertThat(queue.turns.isBehind("big")).isTrue();
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

    /** Those that are gone are not told from others. */
    @Test
    void onlySoManyOweAndThoseWhoOweLeastAreLetOff() {
        tries("big", 2 * HUGE);
        IntStream.range(0, 20_000).forEach(i -> tries("gone-" + i, HUGE));
        assertThat(queue.turns.isBehind("big")).isTrue();
        assertThat(IntStream.range(0, 20_000).filter(i -> queue.turns.isBehind("gone-" + i)))
                .hasSizeBetween(2_000, 4_096);
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

    /** A search for a place for all of them may take long, and is in vain where they do not fit. */
    @Test
    void oneMoreOfAGangMayTakeAnEighthOfATry() {
        long aTry = 17_472; // in a cluster without nodes
        triesGang(100, aTry + 99 * aTry / 8);
        assertThat(queue.turns.isBehind("big")).isFalse();
        triesGang(100, 100 * aTry);
        assertThat(queue.turns.isBehind("big")).isTrue();
    }

    private void triesGang(int pods, long units) {
        IntStream.range(0, pods).forEach(_ -> queue.turns.taken(pod("big", "b", 0)));
        tries("big", units);
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

    /** It is known of each before it is tried that it takes much. */
    @Test
    void ofManyNamespacesWithALargePodEachNoTwoAreTriedAtOnce() {
        queue.pop();
        queue.pop();
        queue.pop();
        for (int i = 0; i < 200; i++) {
            queue.add(large("n" + i));
        }
        assertThat(queue.next()).isEqualTo("n0");
        tries("n0", HUGE);
        for (int i = 1; i < 200; i++) {
            queue.add(pod("small", "small-" + i, 0));
            assertThat(queue.next()).as("before all large ones").isEqualTo("small-" + i);
            tries("small", USUAL);
            assertThat(queue.next()).as("they rest").isEmpty();
            queue.at(queue.queue.nextDeadline().orElseThrow() / 1e9);
            assertThat(queue.next()).isEqualTo("n" + i);
            tries("n" + i, HUGE);
        }
        assertThat(queue.deferred).contains("n1");
    }

    @Test
    void aLargePodThatTakesNoMoreThanIsUsualHoldsNoOtherUp() {
        queue.pop();
        queue.pop();
        queue.pop();
        tries("small", USUAL);
        for (int i = 0; i < 200; i++) {
            queue.add(large("n" + i));
            assertThat(queue.next()).isEqualTo("n" + i);
            tries("n" + i, USUAL);
        }
    }

    @Test
    void whoIsBehindRestsTheLongerTheMoreLargePodsItMakes() {
        queue.pop();
        queue.pop();
        queue.pop();
        tries("small", USUAL);
        tries("n", HUGE / 10);
        queue.add(large("n"));
        assertThat(queue.next()).isEmpty();
        long once = queue.queue.nextDeadline().orElseThrow();
        queue.queue.remove("n/n", "", queue.now());
        queue.add(large("n"));
        assertThat(queue.next()).isEmpty();
        assertThat(queue.queue.nextDeadline().orElseThrow()).isGreaterThan(once);
    }

    private static Pod large(String namespace) {
        PodBuilder pod = PodBuilder.pod(namespace).namespace(namespace).priority(9);
        IntStream.range(0, 100).forEach(claim -> pod.claim("claim-" + claim));
        return pod.build();
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
