package io.evenkeel.kube.client;

import java.nio.file.Path;
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

    public ConnectionOptions withLimits(ConnectionLimits newLimits) {
        return new ConnectionOptions(kubeconfig, context, master, environment, newLimits);
    }
}
