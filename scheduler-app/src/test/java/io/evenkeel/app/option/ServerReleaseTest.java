package io.evenkeel.app.option;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerReleaseTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"1.36", "1.37", "1.40", "1.9"})
    void aServerIsAsked(String release) throws IOException {
        try (HollowCluster server = HollowCluster.start(HollowOptions.DEFAULT.ofRelease(release))) {
            Path kubeconfig = folder.resolve("kubeconfig");
            server.writeKubeconfig(kubeconfig);
            try (HttpTransport transport =
                    HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), "test", ApiObserver.NONE)) {
                assertThat(ServerRelease.of(transport))
                        .map(ServerRelease::toString)
                        .contains(release);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"36, 1.36", "37+, 1.37", "29-eks-1, 1.29"})
    void distributionsAddToTheNumber(String minor, String release) {
        assertThat(ServerRelease.parse("{\"major\":\"1\",\"minor\":\"" + minor + "\"}"))
                .map(ServerRelease::toString)
                .contains(release);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "{\"major\":\"one\",\"minor\":\"36\"}",
                "{\"major\":{},\"minor\":[]}",
                "<html>",
                "null"
            })
    void whatIsNoReleaseIsNotKnown(String text) {
        assertThat(ServerRelease.parse(text)).isEmpty();
    }

    @Test
    void itsLevelIsTheNewestThatIsProvedAndNotNewer() {
        CompatibilityLevel proved = CompatibilityLevel.PROVED;
        ServerRelease same = new ServerRelease(Integer.parseInt(proved.major()), Integer.parseInt(proved.minor()));

        assertThat(new ServerRelease(1, 30).level()).isEqualTo(CompatibilityLevel.FIRST);
        assertThat(same.level()).isEqualTo(proved);
        assertThat(same.isNewer()).isFalse();
        assertThat(new ServerRelease(1, 99).level()).isEqualTo(proved);
        assertThat(new ServerRelease(1, 99).isNewer()).isTrue();
        assertThat(new ServerRelease(2, 0).isNewer()).isTrue();
    }
}
