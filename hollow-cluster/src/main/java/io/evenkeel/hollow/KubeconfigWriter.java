package io.evenkeel.hollow;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Writes a kubeconfig with everything inlined. */
final class KubeconfigWriter {

    private KubeconfigWriter() {}

    static String yaml(String url, Optional<String> caPem, String user, String token) {
        String authority = caPem.map(pem -> "    certificate-authority-data: "
                        + Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII)) + "\n")
                .orElse("");
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: hollow
                  cluster:
                    server: %s
                %scontexts:
                - name: hollow
                  context:
                    cluster: hollow
                    user: %s
                current-context: hollow
                users:
                - name: %s
                  user:
                    token: %s
                """.formatted(url, authority, user, user, token);
    }
}
