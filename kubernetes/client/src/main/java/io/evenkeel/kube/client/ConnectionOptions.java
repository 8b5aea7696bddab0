package io.evenkeel.kube.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The user's options for the way to the API server.
 *
 * @param kubeconfig where absent: $KUBECONFIG, the service account of the pod this runs in, ~/.kube/config
 * @param context of the kubeconfig; its current context where absent
 * @param master the server's address, in place of the configured one
 * @param environment the process's environment variables
 */
public record ConnectionOptions(
        Optional<Path> kubeconfig,
        Optional<String> context,
        Optional<String> master,
        Map<String, String> environment,
        ConnectionLimits limits) {

    /** The kubeconfig that is named, or whatever there is. */
    public static ConnectionOptions of(Optional<Path> kubeconfig) {
        return new ConnectionOptions(
                kubeconfig, Optional.empty(), Optional.empty(), System.getenv(), ConnectionLimits.DEFAULT);
    }

    public ConnectionOptions withContext(String newContext) {
        return new ConnectionOptions(kubeconfig, Optional.of(newContext), master, environment, limits);
    }

    public ConnectionOptions withMaster(String newMaster) {
        return new ConnectionOptions(kubeconfig, context, Optional.of(newMaster), environment, limits);
    }

    /**
     * Time limits of a connection and of the calls on it.
     *
     * @param connect for a connection
     * @param call for a call's whole answer
     * @param ping between two signs of life of the network: HTTP/2 pings, TCP keep-alives; a dead peer is noticed within
     *     about three times as long
     * @param silence after which a stream without a byte counts as dead although its connection is not, where the call has no
     *     limits of its own
     */
    record ConnectionLimits(Duration connect, Duration call, Duration ping, Duration silence) {
        public static final ConnectionLimits DEFAULT = new ConnectionLimits(
                Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(130));
    }
}
