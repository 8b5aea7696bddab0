package io.evenkeel.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.app.http.OpenConnections.Admission;
import io.evenkeel.app.http.OpenConnections.Limits;
import io.evenkeel.app.http.OpenConnections.Place;
import io.evenkeel.app.http.OpenConnections.Place.Phase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OpenConnectionsTest {
    private static final Limits LIMITS =
            new Limits(4, 100, Duration.ofNanos(10), Duration.ofNanos(60), Duration.ofNanos(30));

    private final AtomicLong now = new AtomicLong();
    private final OpenConnections connections = new OpenConnections(LIMITS, now::get);
    private final List<String> cut = new ArrayList<>();

    /** What waits forever here would keep the test from its end. */
    @Test
    void whoWaitsForADeadlineWaitsForAConnectionFirstAndForNoneOnceClosed() throws InterruptedException {
        CountDownLatch due = new CountDownLatch(1);
        Thread waiting = Thread.ofVirtual().start(() -> {
            while (connections.awaitDeadline()) {
                due.countDown();
            }
        });
        await().until(() -> waiting.getState() == Thread.State.WAITING);
        assertThat(due.getCount()).isEqualTo(1);

        admit("a", 1);
        due.await();

        connections.close();
        waiting.join();
        assertThat(connections.awaitDeadline()).isFalse();
    }

    @Test
    void whoHasNothingToSayGoesFirst() {
        admit("a", 1);
        admit("a", 2);
        admit("b", 1);
        admit("a", 3).enter(Phase.KEPT, 3);

        admit("c", 1);

        assertThat(cut).containsExactly("a3");
    }

    @Test
    void elseTheOldestOfTheAddressThatHasMost() {
        admit("b", 1);
        admit("a", 1);
        admit("a", 2);
        admit("c", 1);

        admit("d", 1);
        admit("d", 2);

        assertThat(cut).containsExactly("a1", "b1");
    }

    /** One machine's flood leaves the slow handshake of another alone. */
    @Test
    void aFloodIsAtItsOwnExpense() {
        admit("slow", 1);
        for (int i = 1; i <= 1000; i++) {
            now.incrementAndGet();
            admit("flood", i);
        }
        assertThat(cut).hasSize(997).noneMatch(name -> name.startsWith("slow"));
        assertThat(connections.size()).isEqualTo(LIMITS.connections());
    }

    @Test
    void answersGoOnlyWhereThereIsNothingElse() {
        for (int i = 1; i <= 4; i++) {
            admit("a", i).enter(Phase.ANSWERING, i);
        }
        Place newcomer = admit("b", 1);
        assertThat(cut).containsExactly("a1");

        admit("c", 1);
        assertThat(cut).containsExactly("a1", "b1");
        assertThat(newcomer.phase()).isEqualTo(Phase.UNFINISHED);
    }

    @Test
    void whoHasLeftMakesRoom() {
        for (int i = 1; i <= 4; i++) {
            connections.left(admit("a", i));
        }
        admit("a", 5);
        assertThat(cut).isEmpty();
        assertThat(connections.size()).isEqualTo(1);
    }

    @Test
    void eachPhaseHasItsTime() {
        admit("unfinished", 1);
        admit("kept", 1).enter(Phase.KEPT, 0);
        Place stalled = admit("stalled", 1);
        stalled.enter(Phase.ANSWERING, 0);
        stalled.writing(20L);
        admit("answering", 1).enter(Phase.ANSWERING, 0);

        cutAt(10);
        assertThat(cut).isEmpty();
        cutAt(11);
        assertThat(cut).containsExactly("unfinished1");
        cutAt(50);
        assertThat(cut).containsExactly("unfinished1");
        cutAt(51);
        assertThat(cut).containsExactly("unfinished1", "stalled1");
        cutAt(61);
        assertThat(cut).containsExactly("unfinished1", "stalled1", "kept1");
        cutAt(1_000_000);
        assertThat(cut).hasSize(3);
    }

    private void cutAt(long time) {
        now.set(time);
        connections.cutOverdue();
    }

    private Place admit(String address, int number) {
        String name = address + number;
        Place[] own = new Place[1];
        Admission admission = connections.admit(address(address), () -> {
            cut.add(name);
            if (own[0] != null) {
                connections.left(own[0]);
            }
        });
        own[0] = admission.place();
        return admission.place();
    }

    private static InetAddress address(String name) {
        try {
            return InetAddress.getByAddress(name, new byte[] {10, 0, 0, (byte) name.hashCode()});
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
