package io.evenkeel.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CredentialFilesTest {
    private Instant now = Instant.EPOCH;
    private String file = "first";
    private int reads;

    private final CredentialFiles<String> files = new CredentialFiles<>("first", this::read, () -> now);

    private String read() {
        reads++;
        if (file.isEmpty()) {
            throw new ClientConfigurationException("cannot read it");
        }
        return file;
    }

    @Test
    void theyAreReadAgainAfterAMinuteAndNotAtEachRequest() {
        file = "second";
        now = now.plus(Duration.ofSeconds(59));
        assertThat(files.current()).isEqualTo("first");

        now = now.plus(Duration.ofSeconds(1));
        assertThat(files.current()).isEqualTo("second");
        assertThat(files.current()).isEqualTo("second");
        assertThat(reads).isEqualTo(1);
    }

    @Test
    void whileTheyCannotBeReadWhatWasInThemHolds() {
        file = "";
        now = now.plus(Duration.ofMinutes(1));
        assertThat(files.current()).isEqualTo("first");
        assertThat(files.current()).isEqualTo("first");
        assertThat(reads)
                .as("a file that is not there is not asked for at each request either")
                .isEqualTo(1);

        file = "second";
        now = now.plus(Duration.ofMinutes(1));
        assertThat(files.current()).isEqualTo("second");
    }

    @Test
    void whoDoesNotTrustWhatHeKnowsHasThemReadAtOnce() {
        file = "second";
        assertThat(files.readAgain()).isEqualTo("second");
        assertThat(files.current()).isEqualTo("second");
    }
}
