package io.evenkeel.config;

/**
 * The connection to the API server.
 *
 * @param kubeconfig path of a kubeconfig file; empty for the in-cluster configuration
 * @param qps requests a second on average; negative for no limit
 */
public record ClientConnection(String kubeconfig, String acceptContentTypes, String contentType, float qps, int burst) {

    public static ClientConnection defaults() {
        return new ClientConnection("", "", "application/vnd.kubernetes.protobuf", 50, 100);
    }
}
