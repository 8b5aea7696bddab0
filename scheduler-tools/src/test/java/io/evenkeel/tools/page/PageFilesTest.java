package io.evenkeel.tools.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageFilesTest {
    private static final int MOST_BYTES = 150 * 1024;

    private static List<Path> files() throws IOException, URISyntaxException {
        URL index = Objects.requireNonNull(PageFiles.class.getResource("index.html"));
        try (Stream<Path> all =
                Files.list(Objects.requireNonNull(Path.of(index.toURI()).getParent()))) {
            return all.filter(file -> !file.toString().endsWith(".class")).toList();
        }
    }

    @Test
    void servesEachFileThatThereIs() throws IOException, URISyntaxException {
        Routes routes = new Routes();
        PageFiles.addTo(routes);

        assertThat(routes.paths())
                .containsAll(files().stream()
                        .map(file -> Page.PATH + file.getFileName())
                        .toList());
    }

    @Test
    void isSmall() throws IOException, URISyntaxException {
        long bytes = 0;
        for (Path file : files()) {
            bytes += Files.size(file);
        }

        assertThat(bytes).isLessThan(MOST_BYTES);
    }

    /** Else a module would be asked for only once another is read that imports it. */
    @Test
    void asksForAllModulesAtOnce() throws IOException, URISyntaxException {
        String index = Files.readString(files().stream()
                .filter(file -> file.endsWith("index.html"))
                .findFirst()
                .orElseThrow());

        assertThat(files())
                .extracting(file -> file.getFileName().toString())
                .filteredOn(name -> name.endsWith(".js") && !name.equals("app.js"))
                .allSatisfy(name -> assertThat(index).contains("modulepreload\" href=\"" + name));
    }

    /** The policy would keep them from doing anything, and the browser would complain. */
    @Test
    void hasNothingInlineAndNothingFromElsewhere() throws IOException, URISyntaxException {
        for (Path file : files()) {
            String text = Files.readString(file);

            assertThat(text).as("%s", file.getFileName()).doesNotContain("innerHTML", "insertAdjacentHTML", "eval(");
            if (file.toString().endsWith(".html")) {
                assertThat(text)
                        .doesNotContainPattern("<script(?![^>]* src=)")
                        .doesNotContainPattern("<style|style=|https?:");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:80, '', '', '', true",
        "localhost:80, '', same-origin, '', true",
        "[::1]:80, http://[::1]:80, same-origin, '', true",
        "localhost:80, http://evil.example, '', '', false",
        "localhost:80, http://evil-localhost:80, '', '', false",
        "localhost:80, null, '', '', false",
        "localhost:80, '', cross-site, '', false",
        "localhost:80, '', same-site, '', false",
        "evil.example:80, '', '', '', false",
        "127.0.0.1.evil.example:80, '', '', '', false",
        // who is known by a token cannot be lent to another site
        "evenkeel.example:80, '', '', jane, true",
    })
    void answersToItselfAlone(String host, String origin, String site, String user, boolean answers) {
        Headers headers = new Headers();
        headers.add("Host", host);
        if (!origin.isEmpty()) {
            headers.add("Origin", origin);
        }
        if (!site.isEmpty()) {
            headers.add("Sec-Fetch-Site", site);
        }

        assertThat(PageFiles.foreign(new Request("GET", Page.PATH + "api/state", Map.of(), headers).by(user))
                        .isEmpty())
                .isEqualTo(answers);
    }
}
