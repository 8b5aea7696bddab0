package io.evenkeel.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.http.RequestReader.MalformedRequestException;
import io.evenkeel.app.http.RequestReader.RequestHead;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestReaderTest {

    @Test
    void requestsAreReadOneAfterTheOther() throws IOException {
        RequestReader requests = reader("""
            GET /a%20b?x=1 HTTP/1.1\r
            Host: h\r
            ACCEPT:  text/plain \r
            accept: */*\r
            \r
            \r
            HEAD / HTTP/1.0

            """);

        assertThat(requests.begins()).isTrue();
        RequestHead first = requests.next();
        assertThat(first.method()).isEqualTo("GET");
        assertThat(first.target().getPath()).isEqualTo("/a b");
        assertThat(first.target().getRawQuery()).isEqualTo("x=1");
        assertThat(first.headers().get("Accept")).containsExactly("text/plain", "*/*");
        assertThat(first.keepsConnection()).isTrue();
        RequestHead second = requests.next();
        assertThat(second.method()).isEqualTo("HEAD");
        assertThat(second.keepsConnection()).isFalse();
        assertThat(requests.begins()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "Connection: keep-alive, true, false",
        "Connection: Close, false, false",
        "Content-Length: 0, true, false",
        "Content-Length: 3, false, true",
        "Transfer-Encoding: chunked, false, true",
        "Content-Length: 0~Content-Length: 44, false, true",
        "Connection: keep-alive~Connection: close, false, false",
        "Expect: 100-continue, false, true",
    })
    void aConnectionIsKeptWhereTheNextRequestFollows(String header, boolean keeps, boolean body) throws IOException {
        RequestHead request = reader("GET / HTTP/1.1\r\nHost: h\r\n" + header.replace("~", "\r\n") + "\r\n\r\n")
                .next();
        assertThat(request.keepsConnection()).isEqualTo(keeps);
        assertThat(request.hasBody()).isEqualTo(body);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /|400|malformed request line",
                "GET  / HTTP/1.1|400|malformed request line",
                "G(T / HTTP/1.1|400|malformed request line",
                "GET / FTP/1.1|400|malformed request line",
                "PRI * HTTP/2.0|505|unsupported protocol version",
                "GET /%zz HTTP/1.1|400|malformed request target",
                "GET / HTTP/1.1~Host: h~no colon|400|malformed header",
                "GET / HTTP/1.1~Host : h|400|malformed header",
                "GET / HTTP/1.1~Host: h~ folded: x|400|malformed header",
                "GET / HTTP/1.1~Host: h~A: b\u0000c|400|control character in the request",
                "GET / HTTP/1.1~Accept: x|400|missing required Host header",
                "GET / HTTP/1.1~Host: h~Host: i|400|missing required Host header",
            })
    void whatIsNoRequestIsRefusedWithAReason(String lines, int code, String why) {
        assertRefused(lines.replace("~", "\r\n") + "\r\n\r\n", code, why);
    }

    @Test
    void whatIsTooLongIsRefused() {
        assertRefused("GET /" + "x".repeat(70_000), 431, "request of more than 65536 bytes");
        assertRefused("GET / HTTP/1.1\r\n" + "A: b\r\n".repeat(101) + "\r\n", 431, "more than 100 headers");
        assertRefused(
                "GET / HTTP/1.1\r\n" + ("A: " + "x".repeat(1000) + "\r\n").repeat(70) + "\r\n",
                431,
                "request of more than 65536 bytes");
    }

    @Test
    void whatBreaksOffIsNoRequest() {
        assertThatThrownBy(() -> reader("GET / HTTP/1.1\r\nHo").next()).isInstanceOf(EOFException.class);
    }

    /** What is left unread when a connection is closed may cost the client the answer. */
    @Test
    void ofABodyThatIsTooLongSomeIsTakenIn() throws IOException {
        InputStream sent = new ByteArrayInputStream(new byte[2_000_000]);

        new RequestReader(sent).discard();

        assertThat(sent.available()).isBetween(900_000, 1_000_000);
    }

    private static void assertRefused(String request, int code, String why) {
        assertThatThrownBy(() -> reader(request).next())
                .isInstanceOfSatisfying(
                        MalformedRequestException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code))
                .hasMessage(why);
    }

    private static RequestReader reader(String sent) {
        return new RequestReader(new ByteArrayInputStream(sent.getBytes(StandardCharsets.ISO_8859_1)));
    }
}
