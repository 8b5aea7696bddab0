package io.evenkeel.kube.client.http2;

import static io.evenkeel.kube.client.http2.ServerFrames.END_HEADERS;
import static io.evenkeel.kube.client.http2.ServerFrames.END_STREAM;
import static io.evenkeel.kube.client.http2.ServerFrames.answer;
import static io.evenkeel.kube.client.http2.ServerFrames.block;
import static io.evenkeel.kube.client.http2.ServerFrames.data;
import static io.evenkeel.kube.client.http2.ServerFrames.frame;
import static io.evenkeel.kube.client.http2.ServerFrames.goAway;
import static io.evenkeel.kube.client.http2.ServerFrames.headers;
import static io.evenkeel.kube.client.http2.ServerFrames.reset;
import static io.evenkeel.kube.client.http2.ServerFrames.setting;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StreamsTest {
    private final StreamsFixture fixture = StreamsFixture.begun();

    @Test
    void aConnectionBeginsWithThePrefaceAndItsSettings() {
        StreamsFixture fresh = new StreamsFixture();
        fresh.streams.begin(fresh.out);

        assertThat(fresh.sent()).containsExactly("preface", "SETTINGS 3", "WINDOW_UPDATE 0 " + ((1 << 20) - 65_535));
    }

    /** As the table on top of {@link Streams} has it. */
    @Test
    void callsWaitForAStreamAndOnesThatWereNotLookedAtMayBeMadeElsewhere() throws IOException {
        fixture.receive(setting(Frame.MAX_CONCURRENT_STREAMS, 2));
        fixture.call("a", 0);
        fixture.call("b", 0);
        fixture.call("c", 0);
        assertThat(fixture.sent()).containsExactly("SETTINGS taken", "HEADERS 1 END", "HEADERS 3 END");

        fixture.receive(answer(1, 200));
        assertThat(fixture.sent()).containsExactly("HEADERS 5 END");
        assertThat(fixture.ended()).containsExactly("a 200");

        fixture.receive(goAway(3));
        assertThat(fixture.ended()).containsExactly("c untouched");
        assertThat(fixture.streams.takesMore()).isFalse();

        fixture.receive(answer(3, 200));
        assertThat(fixture.ended()).containsExactly("b 200");
        assertThat(fixture.streams.isEmpty()).isTrue();
    }

    @Test
    void whatWaitsForAStreamIsMadeElsewhereAfterGoAway() throws IOException {
        fixture.receive(setting(Frame.MAX_CONCURRENT_STREAMS, 1));
        fixture.call("a", 0);
        fixture.call("b", 0);

        fixture.receive(goAway(Integer.MAX_VALUE));

        assertThat(fixture.ended()).containsExactly("b untouched");
    }

    @Test
    void whoIsRefusedMayAskAgainAndWhoIsBrokenOffMayNot() throws IOException {
        fixture.call("a", 0);
        fixture.call("b", 0);
        fixture.call("c", 0);

        fixture.receive(reset(1, Frame.REFUSED_STREAM), reset(3, 2), headers(5, 200), reset(5, Frame.REFUSED_STREAM));

        assertThat(fixture.ended()).containsExactly("a untouched", "b failed", "c failed");
    }

    @Test
    void whatHasNoStreamWhenTheConnectionFailsWasNotSent() throws IOException {
        fixture.receive(setting(Frame.MAX_CONCURRENT_STREAMS, 1));
        fixture.call("a", 0);
        fixture.call("b", 0);

        fixture.streams.fail(new IOException("gone"));

        assertThat(fixture.ended()).containsExactly("a failed", "b untouched");
        assertThat(fixture.ended()).isEmpty();
    }

    @Test
    void answersComeInPiecesWithPaddingPrioritiesAndInterimOnes() throws IOException {
        fixture.call("a", 0);
        byte[] ok = block(":status", "200", "x-much", "y".repeat(500));
        byte[] withPriority = new byte[6 + 100 + 3];
        withPriority[0] = 3;
        System.arraycopy(ok, 0, withPriority, 6, 100);

        fixture.receive(
                headers(1, 103),
                frame(Frame.HEADERS, Frame.PADDED | Frame.PRIORITY, 1, withPriority),
                frame(Frame.CONTINUATION, END_HEADERS, 1, Arrays.copyOfRange(ok, 100, ok.length)),
                data(1, 0, bytes("he")),
                data(1, Frame.PADDED, bytes("\2llo..")),
                frame(Frame.HEADERS, END_HEADERS | END_STREAM, 1, block("grpc-status", "0")));

        assertThat(fixture.ended()).containsExactly("a 200 hello");
    }

    @Test
    void whatIsReadIsGivenBackToItsWindowWithItsPadding() throws IOException {
        fixture.call("a", 0);
        fixture.receive(headers(1, 200));
        fixture.sent();

        fixture.receive(data(1, Frame.PADDED, bytes("\2llo..")));

        assertThat(fixture.sent()).containsExactly("WINDOW_UPDATE 1 6");
    }

    /** Also what comes for a call that was given up. */
    @Test
    void allThatComesIsGivenBackToTheConnectionsWindow() throws IOException {
        fixture.call("a", 0);
        fixture.receive(headers(1, 200));
        fixture.streams.abandon(fixture.calls.get("a"), fixture.out);
        fixture.sent();

        for (int i = 0; i < 32; i++) {
            fixture.receive(data(1, 0, new byte[16_384]));
        }
        assertThat(fixture.sent()).isEmpty();
        fixture.receive(data(1, 0, new byte[1]));

        assertThat(fixture.sent()).containsExactly("WINDOW_UPDATE 0 " + (32 * 16_384 + 1));
    }

    @Test
    void anAnswerBeforeAllWasSentEndsTheSending() throws IOException {
        fixture.call("a", 100_000);
        fixture.sent();

        fixture.receive(answer(1, 413));

        assertThat(fixture.sent()).containsExactly("RST_STREAM 1 8");
        assertThat(fixture.ended()).containsExactly("a 413");
    }

    @Test
    void whatNobodyWaitsForIsTakenBack() throws IOException {
        fixture.receive(setting(Frame.MAX_CONCURRENT_STREAMS, 1));
        fixture.call("a", 0);
        fixture.call("b", 0);
        fixture.call("c", 0);
        fixture.sent();

        fixture.streams.abandon(fixture.calls.get("b"), fixture.out);
        assertThat(fixture.sent()).isEmpty();
        fixture.streams.abandon(fixture.calls.get("a"), fixture.out);

        assertThat(fixture.sent()).containsExactly("RST_STREAM 1 8", "HEADERS 3 END");
        fixture.receive(answer(1, 200), answer(3, 200));
        assertThat(fixture.ended()).containsExactly("c 200");
    }

    @Test
    void theOldestIsTheOneThatWasAskedForFirst() throws IOException {
        assertThat(fixture.streams.oldest()).isEmpty();
        fixture.receive(setting(Frame.MAX_CONCURRENT_STREAMS, 0));
        fixture.call("a", 0);
        fixture.call("b", 0);
        assertThat(fixture.streams.oldest()).contains(fixture.calls.get("a"));

        fixture.receive(setting(Frame.MAX_CONCURRENT_STREAMS, 9));
        fixture.call("c", 0);
        assertThat(fixture.streams.oldest()).contains(fixture.calls.get("a"));
        fixture.receive(answer(1, 200));
        assertThat(fixture.streams.oldest()).contains(fixture.calls.get("b"));
    }

    @Test
    void pingsAreAnsweredAndWhatIsNotKnownIsPassedOver() throws IOException {
        fixture.receive(
                frame(Frame.PING, 0, 0, new byte[8]),
                frame(Frame.PING, Frame.ACK, 0, new byte[8]),
                frame(Frame.SETTINGS, Frame.ACK, 0),
                frame(0xfe, 0xff, 7, new byte[5]),
                reset(99, 2),
                data(99, END_STREAM));

        assertThat(fixture.sent()).containsExactly("PONG 8");
        assertThat(fixture.ended()).isEmpty();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
