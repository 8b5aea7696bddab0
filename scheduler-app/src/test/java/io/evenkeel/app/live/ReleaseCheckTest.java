package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveService.ReleaseCheck;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReleaseCheckTest {
    @TempDir
    private Path folder;

    @Test
    void anotherReleaseIsToldOnce() throws IOException {
        try (LogLines log = new LogLines(LiveService.class);
                HollowCluster server = HollowCluster.start();
                HttpTransport transport = HttpTransport.open(
                        ConnectionOptions.of(Optional.of(server.writeKubeconfig(folder.resolve("kubeconfig")))),
                        "test",
                        ApiObserver.NONE)) {
            new ReleaseCheck(transport, CompatibilityLevel.V1_36).run();
            assertThat(log.lines()).isEmpty();

            ReleaseCheck check = new ReleaseCheck(transport, CompatibilityLevel.V1_38);
            check.run();
            check.run();

            assertThat(log.lines())
                    .containsExactly("WARN API server has another release, restart to answer as its kube-scheduler"
                            + " [server=\"1.36\", emulated=\"1.38\"]");
        }
    }
}
