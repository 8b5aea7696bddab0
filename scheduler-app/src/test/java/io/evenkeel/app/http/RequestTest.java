package io.evenkeel.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip | true",
                "deflate, GZIP ; q=0.5 | true",
                "br;q=1,gzip;q=1.0 | true",
                "gzip;q=0 | false",
                "gzip ; q=0.000 | false",
                "x-gzip | false",
                "br | false",
            })
    void compressedAnswersGoToWhoSaysSo(String accepted, boolean gzip) {
        assertThat(accepting(accepted).acceptsGzip()).isEqualTo(gzip);
    }

    @Test
    void anybodysHeaderIsReadOnceHoweverManySpacesItHas() {
        Request request = accepting("gzip;a" + " ".repeat(300_000) + "b");

        assertThat(request.acceptsGzip()).isTrue();
    }

    private static Request accepting(String codings) {
        Headers headers = new Headers();
        headers.add("Accept-Encoding", codings);
        return new Request("GET", "/", Map.of(), headers);
    }
}
