package io.evenkeel.e2e.cluster;

import java.nio.file.Path;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;

/** A k3s server in a container: a real API server with real controllers. Its own scheduler leaves our pods alone. */
final class K3s implements Cluster {
    private static final String IMAGE =
            System.getenv().getOrDefault("EVENKEEL_E2E_K3S_IMAGE", "rancher/k3s:v1.34.1-k3s1");

    private final K3sContainer container = new K3sContainer(DockerImageName.parse(IMAGE));
    private final Path kubeconfig;

    K3s() {
        container.start();
        kubeconfig = InProcess.write(container.getKubeConfigYaml());
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public void close() {
        container.stop();
    }
}
