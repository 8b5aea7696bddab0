package io.evenkeel.kube.client.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.client.http2.MultiplexedCalls.Request;
import io.evenkeel.kube.client.http2.MultiplexedCalls.Request.Header;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import okhttp3.internal.http2.Hpack;
import okio.Buffer;
import org.junit.jupiter.api.Test;

/** What OkHttp, as a server, reads of what we write. */
class RequestHeadersTest {
    private final Buffer wire = new Buffer();
    private final Hpack.Reader server = new Hpack.Reader(wire, RequestHeaders.LARGEST_TABLE);
    private final RequestHeaders headers = new RequestHeaders("server:6443");

    private List<String> read(Request request) throws IOException {
        wire.write(headers.write(request).toArray());
        server.readHeaders();
        assertThat(wire.exhausted()).isTrue();
        return server.getAndResetHeaderList().stream()
                .map(header -> header.name.utf8() + ": " + header.value.utf8())
                .toList();
    }

    private static Request get(Header... more) {
        return new Request("GET", "/x?y=%2F", List.of(more), new byte[0]);
    }

    @Test
    void allThatIsSaidIsHeard() throws IOException {
        Request request = new Request(
                "PATCH",
                "/x",
                List.of(new Header("content-type", "text/plain"), new Header("x-new", "ä")),
                new byte[7]);

        assertThat(read(request))
                .containsExactly(
                        ":method: PATCH",
                        ":scheme: https",
                        ":authority: server:6443",
                        ":path: /x",
                        "content-type: text/plain",
                        "x-new: ä",
                        "content-length: 7");
        assertThat(read(get()))
                .containsExactly(":method: GET", ":scheme: https", ":authority: server:6443", ":path: /x?y=%2F");
    }

    @Test
    void whatIsInAllCallsIsAByteFromTheSecondOn() throws IOException {
        Request request =
                get(new Header("authorization", "Bearer " + "t".repeat(1_200)), new Header("user-agent", "u"));
        int first = headers.write(request).size();
        int second = headers.write(request).size();

        assertThat(first).isGreaterThan(1_200);
        assertThat(second).isEqualTo(2 + 3 + 2 + "/x?y=%2F".length());
    }

    /** Larger than any table: it must not throw out what is in it. */
    @Test
    void aHeaderThatFitsNoTableIsSaidEachTime() throws IOException {
        Header large = new Header("authorization", "t".repeat(RequestHeaders.LARGEST_TABLE));
        Header small = new Header("user-agent", "u");

        for (int i = 0; i < 3; i++) {
            assertThat(read(get(small, large))).endsWith("user-agent: u", "authorization: " + large.value());
        }
        assertThat(headers.write(get(small)).size()).isEqualTo(2 + 2 + 2 + "/x?y=%2F".length());
    }

    @Test
    void theServersTableIsKeptInStepWhateverIsThrownOutOfIt() throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            RequestHeadersTest fresh = new RequestHeadersTest();
            for (int call = 0; call < 60; call++) {
                if (random.nextInt(8) == 0) {
                    fresh.headers.limitTable(random.nextInt(5_000));
                }
                Header[] some = new Header[random.nextInt(6)];
                Arrays.setAll(some, _ -> randomHeader(random));
                List<String> expected = new ArrayList<>(
                        List.of(":method: GET", ":scheme: https", ":authority: server:6443", ":path: /x?y=%2F"));
                for (Header header : some) {
                    expected.add(header.name() + ": " + header.value());
                }
                assertThat(fresh.read(get(some))).as("seed " + seed).isEqualTo(expected);
            }
        }
    }

    private static Header randomHeader(Random random) {
        String name = List.of("accept", "x-a", "x-b", "authorization").get(random.nextInt(4));
        return new Header(name, "v".repeat(random.nextInt(3) * 500) + random.nextInt(4));
    }

    @Test
    void anEmptyTableIsSaidAndUsedByNobody() throws IOException {
        headers.limitTable(0);
        Header header = new Header("x-a", "b");

        assertThat(beginning(1, header)).isEqualTo("20");
        assertThat(read(get(header))).endsWith("x-a: b");
        assertThat(headers.write(get(header)).size()).isGreaterThan(20);
    }

    /** RFC 7541, 4.2: a server has thrown out what did not fit in between, and may insist on hearing of it. */
    @Test
    void theSmallestTableOfThemIsSaidBeforeTheLast() {
        headers.limitTable(100);
        headers.limitTable(0x1f);
        headers.limitTable(4_096);

        assertThat(beginning(6)).isEqualTo("3f00" + "3fe11f" + "82");
        assertThat(beginning(1)).isEqualTo("82");
    }

    /** Numbers of RFC 7541, C.1.1 and C.1.2. */
    @Test
    void numbersAreWrittenAsInTheRfc() {
        headers.limitTable(10);
        assertThat(beginning(1)).isEqualTo("2a");
        headers.limitTable(1_337);
        assertThat(beginning(3)).isEqualTo("3f9a0a");
    }

    private String beginning(int bytes, Header... more) {
        return HexFormat.of().formatHex(headers.write(get(more)).toArray(), 0, bytes);
    }
}
