package io.evenkeel.kube.client.http2;

import static io.evenkeel.kube.client.http2.ServerFrames.answer;
import static io.evenkeel.kube.client.http2.ServerFrames.frame;
import static io.evenkeel.kube.client.http2.ServerFrames.setting;
import static io.evenkeel.kube.client.http2.ServerFrames.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.kube.client.http2.MultiplexedCalls.Request;
import io.evenkeel.kube.client.http2.MultiplexedCalls.Request.Header;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bodies and the windows that they go through. */
class OutboundTest {
    private static final int WINDOW = 65_535;

    private final StreamsFixture fixture = StreamsFixture.begun();

    @Test
    void aBodyIsSentAsFarAsTheWindowOfTheConnectionGoes() throws IOException {
        fixture.receive(setting(Frame.INITIAL_WINDOW_SIZE, 1 << 20));
        fixture.sent();
        fixture.call("a", 70_000);

        assertThat(fixture.sent())
                .containsExactly("HEADERS 1", "DATA 1 16384", "DATA 1 16384", "DATA 1 16384", "DATA 1 16383");
        fixture.receive(windowUpdate(1, 1_000_000));
        assertThat(fixture.sent()).isEmpty();
        fixture.receive(windowUpdate(0, 100));
        assertThat(fixture.sent()).containsExactly("DATA 1 100");
        fixture.receive(windowUpdate(0, 100_000));
        assertThat(fixture.sent()).containsExactly("DATA 1 " + (70_000 - WINDOW - 100) + " END");
    }

    @Test
    void aBodyIsSentAsFarAsTheWindowOfItsStreamGoes() throws IOException {
        fixture.receive(setting(Frame.INITIAL_WINDOW_SIZE, 10));
        fixture.sent();
        fixture.call("a", 15);
        fixture.call("b", 10);

        assertThat(fixture.sent()).containsExactly("HEADERS 1", "DATA 1 10", "HEADERS 3", "DATA 3 10 END");
        fixture.receive(windowUpdate(0, 1_000), windowUpdate(3, 1_000));
        assertThat(fixture.sent()).isEmpty();
        fixture.receive(windowUpdate(1, 3), windowUpdate(1, 2));
        assertThat(fixture.sent()).containsExactly("DATA 1 3", "DATA 1 2 END");
    }

    @Test
    void aWindowThatShrinksBelowNothingOpensOnlyOnceItIsAboveAgain() throws IOException {
        fixture.call("a", WINDOW + 20);
        fixture.receive(windowUpdate(0, 1_000));
        fixture.sent();

        fixture.receive(setting(Frame.INITIAL_WINDOW_SIZE, WINDOW - 50), windowUpdate(1, 50));
        assertThat(fixture.sent()).containsExactly("SETTINGS taken");
        fixture.receive(windowUpdate(1, 1));
        assertThat(fixture.sent()).containsExactly("DATA 1 1");
        fixture.receive(setting(Frame.INITIAL_WINDOW_SIZE, WINDOW));
        assertThat(fixture.sent()).containsExactly("SETTINGS taken", "DATA 1 19 END");
    }

    @Test
    void windowsMayBeAsLargeAsAServerLikes() throws IOException {
        fixture.receive(setting(Frame.INITIAL_WINDOW_SIZE, 10));
        fixture.call("a", 20);
        fixture.sent();

        fixture.receive(
                setting(Frame.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE),
                windowUpdate(1, Integer.MAX_VALUE),
                windowUpdate(1, Integer.MAX_VALUE),
                windowUpdate(0, Integer.MAX_VALUE),
                windowUpdate(0, Integer.MAX_VALUE));

        assertThat(fixture.sent()).containsExactly("SETTINGS taken", "DATA 1 10 END");
        fixture.call("b", 100_000);
        assertThat(fixture.sent()).endsWith("DATA 3 1696 END");
    }

    @Test
    void aWindowOfMoreThanThereMayBeIsTheEnd() {
        assertThatThrownBy(() -> fixture.receive(setting(Frame.INITIAL_WINDOW_SIZE, 1 << 31)))
                .isInstanceOf(BrokenConnectionException.class);
    }

    /** 2^31 and more of them are as good as no limit. */
    @Test
    void aLimitOfStreamsIsANumberWithoutASign() throws IOException {
        fixture.receive(setting(Frame.MAX_CONCURRENT_STREAMS, 1 << 31));
        fixture.sent();

        fixture.call("a", 0);

        assertThat(fixture.sent()).containsExactly("HEADERS 1 END");
    }

    @Test
    void noMoreStreamsThanAllowedAreOpen() throws IOException {
        for (int i = 0; i < 150; i++) {
            fixture.call("c" + i, 0);
        }
        assertThat(fixture.sent()).hasSize(100);
        fixture.receive(setting(Frame.MAX_CONCURRENT_STREAMS, 120));
        assertThat(fixture.sent()).hasSize(1 + 20);
        fixture.receive(setting(Frame.MAX_CONCURRENT_STREAMS, 119), answer(1, 200));
        assertThat(fixture.sent()).containsExactly("SETTINGS taken");
        fixture.receive(answer(3, 200));
        assertThat(fixture.sent()).containsExactly("HEADERS 241 END");
    }

    @Test
    void longHeadersGoOnInFramesOfTheirOwn() {
        Request request =
                new Request("GET", "/", List.of(new Header("authorization", "t".repeat(40_000))), new byte[0]);
        fixture.streams.start(new Exchange(request, 0, 1, _ -> {}), fixture.out);

        assertThat(fixture.sent()).containsExactly("HEADERS 1 END", "CONTINUATION 1", "CONTINUATION 1");
    }

    @Test
    void settingsThatBreakOffAreTheEnd() {
        assertThatThrownBy(() -> fixture.receive(frame(Frame.SETTINGS, 0, 0, new byte[7])))
                .isInstanceOf(BrokenConnectionException.class);
    }
}
