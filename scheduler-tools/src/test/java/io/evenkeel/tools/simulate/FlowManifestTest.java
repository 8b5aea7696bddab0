package io.evenkeel.tools.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Manifests that begin with a brace: objects of JSON, or mappings of YAML in flow style. */
class FlowManifestTest {
    private static final String NODE =
            "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"},\"status\":{\"allocatable\":{\"cpu\":\"4\",\"pods\":\"9\"}}}\n";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {kind: Pod, metadata: {name: a}, spec: {containers: [{name: c}]}}
            {kind: Pod, metadata: {name: a}, spec: {containers: [{name: c}]}} # comment
            {kind: Pod, metadata: {name: a}, spec: {containers: [{name: c}]}}¶---¶{kind: Pod, metadata: {name: b}, spec: {containers: [{name: c}]}}
            {"kind": Pod, metadata: {name: a}, spec: {containers: [{name: c}]}}¶---¶{"kind": "Pod", metadata: {name: b}, spec: {containers: [{name: c}]}}
            {"kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"c"}]}} {"kind":"Pod","metadata":{"name":"b"},"spec":{"containers":[{"name":"c"}]}}
            """)
    void areReadEitherWay(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("m.yaml"), text.replace('¶', '\n'));

        Typed typed = simulate(file);

        assertThat(typed.err()).isEmpty();
        assertThat(typed.exitCode()).isZero();
        assertThat(typed.out()).contains("default/a");
        if (text.contains("b")) {
            assertThat(typed.out()).contains("default/b");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {kind: Pod, metadata: {name: a}     | :1:32: no valid YAML
            {"kind": "Pod", "metadata": {       | : no valid JSON
            {"kind": "Pod"}¶7                   | : expected an object, got 7
            """)
    void whatIsWrongWithItIsToldInItsOwnLanguage(String text, String said) throws IOException {
        Path file = Files.writeString(folder.resolve("m.yaml"), text.replace('¶', '\n'));

        assertThat(simulate(file).err()).startsWith("evenkeel: " + file + said).hasLineCount(1);
    }

    private Typed simulate(Path file) throws IOException {
        Path cluster = Files.writeString(folder.resolve("cluster.json"), NODE);
        return Typed.evenkeel("simulate", "--dump", cluster.toString(), "-f", file.toString());
    }
}
