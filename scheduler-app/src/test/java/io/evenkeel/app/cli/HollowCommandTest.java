package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.hollow.HollowCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HollowCommandTest {

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
                "--port 70000 | --port must be between 0 and 65535, got 70000",
                "--load absent.yaml | --load absent.yaml: no such file",
            })
    void aMistakeIsOneLine(String arguments, String message) {
        StringWriter err = new StringWriter();

        assertThat(run(err, arguments)).isEqualTo(2);
        assertThat(err.toString()).startsWith("evenkeel: " + message).hasLineCount(1);
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

    private static int run(StringWriter err, String arguments) {
        return Evenkeel.commandLine()
                .setErr(new PrintWriter(err, true))
                .execute(("hollow " + arguments).split(" ", -1));
    }
}
