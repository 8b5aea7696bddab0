package io.evenkeel.kube.client.http2;

import static io.evenkeel.kube.client.http2.ServerFrames.END_HEADERS;
import static io.evenkeel.kube.client.http2.ServerFrames.END_STREAM;
import static io.evenkeel.kube.client.http2.ServerFrames.answer;
import static io.evenkeel.kube.client.http2.ServerFrames.block;
import static io.evenkeel.kube.client.http2.ServerFrames.data;
import static io.evenkeel.kube.client.http2.ServerFrames.frame;
import static io.evenkeel.kube.client.http2.ServerFrames.headers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.kube.client.http2.CallConnection.FrameReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

/** Call a is underway on stream 1. Whatever comes, it is told once what became of it, and never that it was answered. */
class MalformedFramesTest {
    static final List<Arguments> BROKEN = List.of(
            of("more padding than bytes", frame(Frame.HEADERS, Frame.PADDED | END_HEADERS, 1, (byte) 9)),
            of("padding without its length", frame(Frame.DATA, Frame.PADDED, 1)),
            of("too short", frame(Frame.RST_STREAM, 0, 1, (byte) 0)),
            of("too short", frame(Frame.GOAWAY, 0, 0)),
            of("too short", frame(Frame.WINDOW_UPDATE, 0, 1, (byte) 0)),
            of("pushed", frame(Frame.PUSH_PROMISE, END_HEADERS, 1, new byte[4])),
            of("no status", frame(Frame.HEADERS, END_HEADERS, 1, block("retry-after", "1"))),
            of("no status", status("")),
            of("no status", status("2e2")),
            of("no status", status("-200")),
            of("no status", status("99")),
            of("no status", status("4294967496")),
            of("no end of interim answers", answer(1, 103)),
            of("a body before headers", data(1, 0, (byte) 'x')),
            of("an end before headers", data(1, END_STREAM)),
            of("a body after an interim answer", headers(1, 103), data(1, END_STREAM, (byte) 'x')),
            of("continued by another stream", frame(Frame.HEADERS, 0, 1), frame(Frame.CONTINUATION, END_HEADERS, 3)),
            of("broken off by a ping", frame(Frame.HEADERS, 0, 1), frame(Frame.PING, 0, 0, new byte[8])),
            of("continued after the end", headers(1, 200), frame(Frame.CONTINUATION, END_HEADERS, 1)),
            of("an entry of a table that there is not", frame(Frame.HEADERS, END_HEADERS, 1, (byte) 0xbe)));

    private final StreamsFixture fixture = StreamsFixture.begun();

    private static Arguments of(String what, byte[]... frames) {
        return Arguments.argumentSet(what, (Object) frames);
    }

    private static byte[] status(String text) {
        return frame(Frame.HEADERS, END_HEADERS, 1, block(":status", text));
    }

    @ParameterizedTest
    @FieldSource("BROKEN")
    void theConnectionEndsByIt(byte[][] frames) {
        fixture.call("a", 0);

        assertThatThrownBy(() -> fixture.receive(frames)).isInstanceOf(BrokenConnectionException.class);
        fixture.streams.fail(new IOException("as the connection does then"));

        assertThat(fixture.ended()).containsExactly("a failed");
    }

    @Test
    void headersDoNotGoOnForEver() throws IOException {
        fixture.call("a", 0);
        fixture.receive(frame(Frame.HEADERS, 0, 1));

        assertThatThrownBy(() -> {
                    for (int sent = 0; sent <= Streams.LARGEST_HEADERS; sent += 10_000) {
                        fixture.receive(frame(Frame.CONTINUATION, 0, 1, new byte[10_000]));
                    }
                })
                .isInstanceOf(BrokenConnectionException.class)
                .hasMessage("headers of more than 262144 bytes");
    }

    @Test
    void bodiesDoNotGrowForEver() throws IOException {
        fixture.call("a", 0);
        fixture.receive(headers(1, 200));

        assertThatThrownBy(() -> {
                    for (int sent = 0; sent <= Exchange.LARGEST_BODY; sent += 16_384) {
                        fixture.receive(data(1, 0, new byte[16_384]));
                        fixture.out.clear();
                    }
                })
                .isInstanceOf(BrokenConnectionException.class)
                .hasMessage("an answer of more than 67108864 bytes");
    }

    @Test
    void whatIsNoHttp2IsRecognized() {
        byte[] other = "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

        assertThatThrownBy(() -> ServerFrames.read(other))
                .isInstanceOf(BrokenConnectionException.class)
                .hasMessageEndingWith("is it an HTTP/2 server?");
    }

    /** A frame that is not there as a whole is waited for, and none that is. */
    @Test
    void framesAreReadInWhateverPiecesTheyCome() throws IOException {
        byte[] frames = new byte[3 * 109];
        for (int i = 0; i < 3; i++) {
            System.arraycopy(data(i + 1, 0, new byte[100]), 0, frames, 109 * i, 109);
        }
        int[] pieces = {109 + 109 + 8, 1, 99, 1};
        FrameReader reader = new FrameReader(new ByteArrayInputStream(frames) {
            private int piece;

            @Override
            public synchronized int read(byte[] into, int offset, int most) {
                return super.read(into, offset, Math.min(most, pieces[piece++]));
            }
        });

        assertThat(reader.next().stream()).isEqualTo(1);
        assertThat(reader.hasMore()).isTrue();
        assertThat(reader.next().stream()).isEqualTo(2);
        assertThat(reader.hasMore()).isFalse();
        assertThat(reader.next().stream()).isEqualTo(3);
        assertThat(reader.hasMore()).isFalse();
    }

    /** Frames of all types with random content, most of which mean nothing. */
    @Test
    void nothingElseIsThrownWhateverComes() {
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            StreamsFixture some = StreamsFixture.begun();
            some.call("a", random.nextInt(3) * 1_000);
            some.call("b", 0);
            try {
                for (int i = 0; i < 20; i++) {
                    some.receive(randomFrame(random));
                }
            } catch (IOException broken) {
                assertThat(broken).as("seed " + seed).isInstanceOf(BrokenConnectionException.class);
            }
            some.streams.fail(new IOException("over"));
            assertThat(some.ended()).as("seed " + seed).hasSize(2);
        }
    }

    private static byte[] randomFrame(Random random) {
        byte[] payload = new byte[random.nextInt(12)];
        random.nextBytes(payload);
        byte[] known = block(":status", "200", "content-type", "text/plain", "x-some", "other");
        int flags = random.nextInt(4) == 0 ? random.nextInt(256) : END_HEADERS;
        int stream = random.nextInt(3);
        return switch (random.nextInt(4)) {
            case 0 -> {
                known[random.nextInt(known.length)] = (byte) random.nextInt();
                yield frame(Frame.HEADERS, flags, stream, known);
            }
            case 1 -> headers(stream, 200);
            default -> frame(random.nextInt(11), flags, stream, payload);
        };
    }
}
