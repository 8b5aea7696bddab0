package io.evenkeel.chart.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links from one document to another lead to a file that there is, and to a heading in it. */
class DocLinksTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            for (String link : Markdown.read(document).links()) {
                if (!isElsewhere(link) && !leadsSomewhere(document, link)) {
                    broken.add(ROOT.relativize(document) + ": " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void everyDocumentIsLinkedFromTheReadme() throws IOException {
        List<String> links = Markdown.read(ROOT.resolve("README.md")).links();
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            assertThat(docs.filter(file -> file.toString().endsWith(".md"))
                            .map(file -> ROOT.relativize(file).toString()))
                    .isNotEmpty()
                    .allMatch(links::contains);
        }
    }

    /** The test of the test: what is taken for a link, and what for a heading. */
    @Test
    void codeHasNeitherLinksNorHeadings() {
        Markdown markdown = Markdown.parse("""
                # Is it well?
                See [a](a.md#b) and `[c](c.md)`.
                ```
                # no heading
                [d](d.md)
                ```
                ## `--dry-run`, [of](e.md) old
                ## Is it well?
                """);
        assertThat(markdown.links()).containsExactly("a.md#b", "e.md");
        assertThat(markdown.anchors()).containsExactlyInAnyOrder("is-it-well", "is-it-well-1", "--dry-run-of-old");
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (String folder : List.of("", "docs", "charts/evenkeel", "proof/benchmarks", "proof/upgrade")) {
            try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
            }
        }
        assertThat(documents).hasSizeGreaterThan(10);
        return documents;
    }

    private static boolean isElsewhere(String link) {
        return link.contains("://") || link.startsWith("mailto:");
    }

    private static boolean leadsSomewhere(Path from, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path file = parts[0].isEmpty()
                ? from
                : from.resolveSibling(parts[0]).toAbsolutePath().normalize();
        if (!Files.exists(file) || !file.startsWith(ROOT)) {
            return false;
        }
        return parts.length == 1 || Markdown.read(file).anchors().contains(parts[1]);
    }
}
