package io.evenkeel.kube.client;

import io.evenkeel.tls.PemIdentity;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;

/**
 * A credential to be let in by.
 *
 * @param authorization the value of the header
 * @param certificate the client certificate
 */
record Credential(Optional<String> authorization, Optional<Certificate> certificate) {
    public static final Credential NONE = new Credential(Optional.empty(), Optional.empty());

    /** A client certificate and its key, both as PEM. */
    public record Certificate(String chain, String key) {

        /**
         * The key and its certificates.
         *
         * @throws GeneralSecurityException if they are no such things, or do not fit together
         */
        public PemIdentity parse() throws GeneralSecurityException {
            return PemIdentity.parse(chain.getBytes(StandardCharsets.UTF_8), key.getBytes(StandardCharsets.UTF_8));
        }
    }

    public static Credential bearer(String token) {
        return new Credential(Optional.of("Bearer " + token.strip()), Optional.empty());
    }

    public static Credential basic(String user, String password) {
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return new Credential(Optional.of("Basic " + Base64.getEncoder().encodeToString(both)), Optional.empty());
    }

    /** Whether a request can carry it; OkHttp would throw at each. */
    public static boolean fitsHeader(String secret) {
        return secret.strip().chars().allMatch(character -> character >= ' ' && character <= '~');
    }

    public Credential showing(Certificate shown) {
        return new Credential(authorization, Optional.of(shown));
    }

    public Credential withoutCertificate() {
        return new Credential(authorization, Optional.empty());
    }

    @Override
    public String toString() {
        return "Credential[…]";
    }
}
