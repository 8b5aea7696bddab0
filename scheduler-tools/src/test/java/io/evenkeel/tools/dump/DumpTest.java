package io.evenkeel.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.file.Bound;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.dump.Dump.DumpReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dumps, written and read again. */
class DumpTest {
    private static final Dump.Header HEADER = new Dump.Header(
            "evenkeel 1", "2026-01-01T00:00:00Z", "https://example.com", false, Map.of("CSINode", "403 Forbidden"));
    private static final List<KubernetesObject> OBJECTS = List.of(
            NodeBuilder.node("n1").zone("a").allocatable("cpu", "4").build(),
            PodBuilder.pod("web").container("cpu", "1").nodeName("n1").build(),
            PodBuilder.pod("ünlaut").container("cpu", "100m").build());

    @TempDir
    private Path folder;

    private static String written() throws IOException {
        StringWriter out = new StringWriter();
        Dump.write(HEADER, OBJECTS, Kinds.IN_TREE, UnaryOperator.identity(), out);
        return out.toString();
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("dump"), text);
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Dump read = Dump.read(file(written()), Kinds.IN_TREE);

        assertThat(read.header()).contains(HEADER);
        assertThat(read.objects()).isEqualTo(OBJECTS);
        assertThat(written().lines()).hasSize(OBJECTS.size() + 2);
    }

    @Test
    void itMayBeCompressedWhateverItsName() throws IOException {
        assertThat(Dump.read(packed(written()), Kinds.IN_TREE).objects()).isEqualTo(OBJECTS);
    }

    /** A few bytes that unpack to more than there is memory for: many lines, a long one, or a long list. */
    @Test
    void whatUnpacksToTooMuchIsRefused() throws IOException {
        Bound line = new Bound(1_000, "1 kB");
        Bound all = new Bound(5_000, "5 kB");
        String header = written().lines().findFirst().orElseThrow() + "\n";

        assertThatThrownBy(() -> DumpReader.read(packed(header + "a".repeat(1_001)), Kinds.IN_TREE, all, line))
                .isInstanceOf(UserProblem.class)
                .hasMessage(folder.resolve("dump") + ":2: longer than 1 kB");
        for (String many : List.of(header + "\n".repeat(5_000), "[" + "{},".repeat(5_000))) {
            assertThatThrownBy(() -> DumpReader.read(packed(many), Kinds.IN_TREE, all, line))
                    .isInstanceOf(UserProblem.class)
                    .hasMessage(folder.resolve("dump") + " cannot be read: it is larger than 5 kB");
        }
    }

    private Path packed(String text) throws IOException {
        Path file = folder.resolve("dump");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    @Test
    void whatKubectlPrintsIsReadToo() throws IOException {
        String list = """
                {"apiVersion":"v1","kind":"List","items":[
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"}},
                {"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}},
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"over","namespace":"default"},"status":{"phase":"Failed"}}]}
                """;

        Dump read = Dump.read(file(list + list), Kinds.IN_TREE);

        assertThat(read.header()).isEmpty();
        assertThat(read.objects()).extracting(object -> object.meta().key()).containsExactly("n1", "n1");
    }

    /** A refusal names who was refused, and what. */
    @Test
    void theHeaderHasNoNamesWhereTheObjectsHaveNone() {
        Dump.Header header =
                new Dump.Header("evenkeel 1", "2026-01-01T00:00:00Z", "acme", true, Map.of("CSINode", "acme may not"));

        assertThat(header.json()).contains("CSINode").doesNotContain("acme");
    }

    @Test
    void podsThatHaveFinishedAreLeftOut() throws IOException {
        StringWriter out = new StringWriter();
        KubernetesObject over = PodBuilder.pod("over").phase("Succeeded").build();
        Dump.write(HEADER, List.of(over), Kinds.IN_TREE, UnaryOperator.identity(), out);

        assertThat(out.toString()).endsWith("\n{\"objects\":0}\n").doesNotContain("over");
    }

    @Test
    void aDumpThatCannotBeTrustedIsRefused() throws IOException {
        String text = written();
        String cut = text.substring(0, text.indexOf("{\"objects\""));

        assertRefused(cut, ": the dump has no end: it was cut off after line 4");
        assertRefused(text + "{}\n", ":6: something follows the end of the dump");
        assertRefused(
                text.replaceFirst("\"version\":1", "\"version\":2"),
                ":1: version: this is a dump of version 2, and this program reads version 1");
        assertRefused(text.replace("\"cpu\":\"4\"", "\"cpu\":\"four\""), ":2: Node n1: status.allocatable.cpu: ");
        assertRefused("not even JSON", ": ");
        assertThatThrownBy(() -> Dump.read(folder.resolve("none"), Kinds.IN_TREE))
                .isInstanceOf(UserProblem.class)
                .hasMessageEndingWith("none does not exist");
    }

    private void assertRefused(String text, String why) throws IOException {
        Path file = file(text);
        assertThatThrownBy(() -> Dump.read(file, Kinds.IN_TREE))
                .isInstanceOf(UserProblem.class)
                .hasMessageStartingWith(file + why);
    }
}
