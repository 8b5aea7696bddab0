package io.evenkeel.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.http.Listener.Handshakes;
import io.evenkeel.app.http.OpenConnections.Place;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HandshakesTest {
    private static final int A_SECOND = 10;
    private static final long A_TURN = TimeUnit.SECONDS.toNanos(1) / A_SECOND;

    private final AtomicLong now = new AtomicLong();
    private final Handshakes handshakes = new Handshakes(A_SECOND, now::get);

    private static Place from(String address) throws IOException {
        return new Place(InetAddress.getByName(address), () -> {}, 0);
    }

    private List<Place> waitingFrom(String address, int many) throws IOException {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            places.add(from(address));
            assertThat(handshakes.isAtOnce(places.getLast())).isFalse();
        }
        return places;
    }

    /** Which of them have had their turn. */
    private static List<Integer> served(List<Place> places) {
        return IntStream.range(0, places.size())
                .filter(i -> !places.get(i).isWaiting())
                .boxed()
                .toList();
    }

    private void usedUp() throws IOException {
        for (int i = 0; i < A_SECOND; i++) {
            assertThat(handshakes.isAtOnce(from("10.0.0.9"))).isTrue();
        }
    }

    @Test
    void addressesTakeTurnsAndTheLatestOfEachComesFirst() throws IOException {
        usedUp();
        List<Place> flood = waitingFrom("10.0.0.1", 1_000);
        List<Place> probe = waitingFrom("10.0.0.2", 1);

        assertThat(handshakes.giveDue()).isEqualTo(A_TURN);
        now.addAndGet(2 * A_TURN);
        assertThat(handshakes.giveDue()).isEqualTo(A_TURN);
        assertThat(served(flood)).containsExactly(999);
        assertThat(served(probe)).containsExactly(0);

        flood.addAll(waitingFrom("10.0.0.1", 1));
        now.addAndGet(A_TURN);
        handshakes.giveDue();
        assertThat(served(flood)).containsExactly(999, 1_000);
    }

    /** A machine has as many addresses of IPv6 as it likes, of one network. */
    @Test
    void aNetworkOfIpv6IsOneAddress() throws IOException {
        usedUp();
        List<Place> flood = new ArrayList<>();
        for (int i = 1; i <= 1_000; i++) {
            flood.addAll(waitingFrom("2001:db8:0:1::%x".formatted(i), 1));
        }
        List<Place> probe = waitingFrom("2001:db8:0:2::1", 1);

        now.addAndGet(2 * A_TURN);
        handshakes.giveDue();
        assertThat(served(probe)).containsExactly(0);
        assertThat(served(flood)).containsExactly(999);
    }

    @Test
    void noMoreAreBegunThanThereMayBe() throws IOException {
        usedUp();
        List<Place> flood = waitingFrom("10.0.0.1", 1_000);
        for (int turn = 0; turn < 50; turn++) {
            now.addAndGet(A_TURN);
            handshakes.giveDue();
        }
        assertThat(served(flood)).hasSize(50);
    }

    /** Whoever was cut costs nobody a turn. */
    @Test
    void whoIsCutIsPassedOver() throws IOException {
        usedUp();
        List<Place> flood = waitingFrom("10.0.0.1", 1_000);
        List<Place> late = waitingFrom("10.0.0.2", 1);
        flood.forEach(Place::cut);

        now.addAndGet(A_TURN);
        handshakes.giveDue();
        assertThat(served(late)).containsExactly(0);
    }

    @Test
    void whoSaysOnlyAPartHasNoTurnAndWhatIsNoHandshakeFailsWithoutOne() throws IOException {
        byte[] half = {22, 3, 1, 0, 10, 1, 2, 3};
        for (int i = 0; i < 1_000; i++) {
            assertThatThrownBy(() -> handshakes.awaitTurn(new ByteArrayInputStream(half), from("10.0.0.1")))
                    .isInstanceOf(IOException.class);
            assertThat(handshakes
                            .awaitTurn(
                                    new ByteArrayInputStream("GET / HTTP/1.1".getBytes(StandardCharsets.UTF_8)),
                                    from("10.0.0.1"))
                            .readAllBytes())
                    .asString()
                    .isEqualTo("GET /");
        }
        byte[] whole = {22, 3, 1, 0, 2, 1, 2, 3};
        assertThat(handshakes
                        .awaitTurn(new ByteArrayInputStream(whole), from("10.0.0.1"))
                        .readAllBytes())
                .containsExactly(22, 3, 1, 0, 2, 1, 2);
    }
}
