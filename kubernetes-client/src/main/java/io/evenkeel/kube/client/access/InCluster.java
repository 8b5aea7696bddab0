package io.evenkeel.kube.client.access;

import io.evenkeel.file.FileContent;
import io.evenkeel.kube.client.credential.ClientConfigurationException;
import io.evenkeel.kube.client.credential.CredentialFiles;
import io.evenkeel.kube.client.credential.TokenFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** The access that every pod has by its service account. */
final class InCluster {
    static final String HOST = "KUBERNETES_SERVICE_HOST";
    private static final String PORT = "KUBERNETES_SERVICE_PORT";
    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    static final Path TOKEN = ACCOUNT.resolve("token");

    private InCluster() {}

    static ServerAccess access(Map<String, String> environment, InstantSource clock) {
        String host = environment.getOrDefault(HOST, "");
        String port = environment.getOrDefault(PORT, "443");
        String address = "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        return new ServerAccess(
                address,
                true,
                Optional.of(new CredentialFiles<>(authority(), InCluster::authority, clock)),
                Optional.empty(),
                Optional.empty(),
                Impersonation.NONE,
                new TokenFile(TOKEN, Optional.empty(), clock));
    }

    private static Authority authority() {
        Path path = ACCOUNT.resolve("ca.crt");
        try {
            return Authority.of(FileContent.bytes(path));
        } catch (IOException | GeneralSecurityException unreadable) {
            throw new ClientConfigurationException(
                    "cannot read " + path + ", the cluster's certificate authority: "
                            + ClientConfigurationException.reason(unreadable),
                    unreadable);
        }
    }
}
