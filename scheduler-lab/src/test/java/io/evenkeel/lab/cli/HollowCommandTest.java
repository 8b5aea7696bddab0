package io.evenkeel.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.testing.Java;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HollowCommandTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--nodes -1 | --nodes must be at least 0, got -1",
                "--zones 0 | --zones must be at least 1, got 0",
                "--nodes 2000000000 | --nodes must be at most 100000, got 2000000000",
                "--pods-per-node 0 | --pods-per-node must be at least 1, got 0",
                "--latency -5ms | Invalid value for option '--latency': must not be negative, got -5ms",
                "--cpu lots | cpu must be a quantity such as 8, 500m or 32Gi, got lots",
                "--nodes 99999999999 | Invalid value for option '--nodes': must fit 32 bits, got 99999999999",
                "--devices gpu=8,tpu=1 | Invalid value for option '--devices': expected counts such as gpu=8,nic=4, each of gpu,"
                        + " partition, nic, fabric and at most 999, got \"tpu=1\"",
                "--heartbeat 0s | Invalid value for option '--heartbeat': must be greater than zero, got 0s",
                "--port 70000 | --port must be between 0 and 65535, got 70000",
            })
    void aMistakeIsOneLine(String arguments, String message) {
        StringWriter err = new StringWriter();

        assertThat(run(err, arguments)).isEqualTo(2);
        assertThat(err.toString()).startsWith("evenkeel: " + message).hasLineCount(1);
    }

    /** As a process of its own: a signal ends the whole of it. */
    @Test
    void aSignalEndsItWellAndNothingIsLeft() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        Process hollow = new ProcessBuilder(Java.command(
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.evenkeel.app.cli.Evenkeel",
                        "hollow"))
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out = hollow.inputReader()) {
            assertThat(out.lines()
                            .filter(line -> line.contains("kubectl get nodes"))
                            .findFirst())
                    .isPresent();
            assertThat(temporary).isNotEmptyDirectory();

            hollow.destroy();

            assertThat(hollow.waitFor()).isZero();
            assertThat(temporary).isEmptyDirectory();
        } finally {
            hollow.destroyForcibly();
        }
    }

    @Test
    void aTakenPortIsOneLine() {
        StringWriter err = new StringWriter();
        try (HollowCluster other = HollowCluster.start()) {
            int port = URI.create(other.url()).getPort();

            assertThat(run(err, "--plain-http --port " + port)).isEqualTo(1);
            assertThat(err.toString())
                    .startsWith("evenkeel: cannot listen on port " + port)
                    .hasLineCount(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "kind: Foo, apiVersion: x/v1|kind 'Foo' of apiVersion 'x/v1' is unknown to this cluster",
                "kind: Pod|an object needs a kind and an apiVersion, got 'Pod' and ''",
                "items: [1]|expected an object, got 1",
                "kind: Pod, apiVersion: v1, metadata: {name: a}|Pod \"a\" is invalid: spec.containers: Required value",
            })
    void anObjectThatCannotBeCreatedIsOneLineWithTheNameOfItsFile(String object, String message) throws IOException {
        Path file = Files.writeString(directory.resolve("objects.yaml"), "{" + object + "}");
        StringWriter err = new StringWriter();

        assertThat(run(err, "--nodes 0 --load " + file)).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("evenkeel: " + file + ": ")
                .contains(message)
                .hasLineCount(1);
    }

    @Test
    void aFileThatIsNotThereIsOneLine() {
        StringWriter err = new StringWriter();

        assertThat(run(err, "--load absent.yaml")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines("evenkeel: absent.yaml does not exist; see 'evenkeel hollow --help'");
    }

    @Test
    void aFileThatIsNoTextIsOneLine() throws IOException {
        Path binary = Files.write(directory.resolve("objects.yaml"), new byte[] {(byte) 0xff});
        StringWriter err = new StringWriter();

        assertThat(run(err, "--load " + binary)).isEqualTo(2);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines("evenkeel: " + binary + " is not UTF-8; see 'evenkeel hollow --help'");
    }

    @Test
    void aKubeconfigThatCannotBeWrittenIsOneLine() {
        Path nowhere = directory.resolve("nowhere");
        StringWriter err = new StringWriter();

        assertThat(run(err, "--nodes 0 --kubeconfig " + nowhere.resolve("kubeconfig")))
                .isEqualTo(1);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines("evenkeel: " + nowhere.resolve("kubeconfig") + " cannot be written: "
                        + nowhere + " does not exist");
    }

    private static int run(StringWriter err, String arguments) {
        return Evenkeel.commandLine()
                .setErr(new PrintWriter(err, true))
                .execute(("hollow " + arguments).split(" ", -1));
    }
}
