package io.evenkeel.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.Zpage.FlagsPage;
import io.evenkeel.app.http.Zpage.StatusPage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Held against what kube-scheduler answered. */
class ZpageTest {
    private static final Instant STARTED = Instant.parse("2026-11-02T05:24:14.780Z");
    private static final String JAVA = Runtime.version().feature() + "."
            + Runtime.version().interim() + "." + Runtime.version().update();
    private static final String NOT_ACCEPTABLE = """
            {
              "kind": "Status",
              "apiVersion": "v1",
              "metadata": {},
              "status": "Failure",
              "message": "only the following media types are accepted: application/json, application/yaml, text/plain",
              "reason": "NotAcceptable",
              "code": 406
            }""";

    private final Zpage statusz = new Zpage(
            "statusz",
            new StatusPage(
                    STARTED,
                    "0.1.0",
                    "1.36",
                    List.of("/configz", "/metrics"),
                    InstantSource.fixed(STARTED.plusSeconds(133 + 3600))));
    private final Zpage flagz =
            new Zpage("flagz", new FlagsPage(Map.of("v", "2", "bind-address", "0.0.0.0", "config", "")));

    @ParameterizedTest
    @ValueSource(
            strings = {"", "text/plain", "*/*", "text/*", "text/html, text/plain;q=0.5", "application/json, */*;q=0.1"})
    void peopleGetText(String accept) {
        Reply reply = get(statusz, accept);

        assertThat(reply.code()).isEqualTo(200);
        assertThat(reply.contentType()).isEqualTo("text/plain; charset=utf-8");
        assertThat(body(reply)).isEqualTo("""

                kube-scheduler statusz
                Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees\
                 and is for debugging purposes only.

                Started: Mon Nov  2 05:24:14 UTC 2026
                Up: 1 hr 02 min 13 sec
                Java version: %s
                Binary version: 0.1.0
                Emulation version: 1.36
                Paths: /configz /metrics
                """.formatted(JAVA));
    }

    @Test
    void flagsAreALineEachByName() {
        assertThat(body(get(flagz, ""))).isEqualTo("""

                kube-scheduler flagz
                Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees\
                 and is for debugging purposes only.
                bind-address: 0.0.0.0
                config:%s
                v: 2
                """.formatted(" "));
    }

    @Test
    void whoNamesKindAndVersionGetsAnObject() {
        Reply reply = get(statusz, "application/json;v=v1beta1;g=config.k8s.io;as=Statusz, text/plain;q=0.5");

        assertThat(reply.contentType()).isEqualTo("application/json;g=config.k8s.io;v=v1beta1;as=Statusz");
        assertThat(reply.headers()).isEmpty();
        assertThat(body(reply)).isEqualTo("""
                {
                  "kind": "Statusz",
                  "apiVersion": "config.k8s.io/v1beta1",
                  "metadata": {
                    "name": "kube-scheduler"
                  },
                  "startTime": "2026-11-02T05:24:14Z",
                  "uptimeSeconds": 3733,
                  "goVersion": "java%s",
                  "binaryVersion": "0.1.0",
                  "emulationVersion": "1.36",
                  "paths": [
                    "/configz",
                    "/metrics"
                  ]
                }""".formatted(JAVA));
    }

    @Test
    void theOldVersionIsDeprecatedAndThere() {
        Reply reply = get(flagz, "application/yaml;g=config.k8s.io;v=v1alpha1;as=Flagz");

        assertThat(reply.contentType()).isEqualTo("application/yaml;g=config.k8s.io;v=v1alpha1;as=Flagz");
        assertThat(reply.headers())
                .containsEntry(
                        "Warning",
                        "299 - \"This version of the flagz endpoint is deprecated. Please use a newer version.\"");
        assertThat(body(reply)).isEqualTo("""
                kind: Flagz
                apiVersion: config.k8s.io/v1alpha1
                metadata:
                  name: kube-scheduler
                flags:
                  bind-address: 0.0.0.0
                  config: ''
                  v: '2'
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json",
                "text/html",
                "application/json;as=Table;v=v1;g=meta.k8s.io",
                "application/json;as=Flagz;v=v1beta1;g=config.k8s.io",
                "application/json;as=Statusz;v=v1;g=config.k8s.io",
                "application/cbor;v=v1beta1;g=config.k8s.io;as=Statusz"
            })
    void nothingElseIsAcceptable(String accept) {
        Reply reply = get(statusz, accept);

        assertThat(reply.code()).isEqualTo(406);
        assertThat(body(reply)).isEqualTo(NOT_ACCEPTABLE);
    }

    private static Reply get(Zpage page, String accept) {
        Headers headers = new Headers();
        if (!accept.isEmpty()) {
            headers.set("Accept", accept);
        }
        return page.answer(new Request("GET", "/page", Map.of(), headers));
    }

    private static String body(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }
}
