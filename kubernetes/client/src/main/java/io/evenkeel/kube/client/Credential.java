package io.evenkeel.kube.client;

import io.evenkeel.tls.PemIdentity;
import java.io.IOException;
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

    /** A source of credentials. Used by many threads. */
    interface CredentialSource {

        /** The credential to use now; a new one where the last is known to be out of date. */
        Credential current() throws IOException;

        /** The credential to use now, where nothing has to be waited for. */
        Optional<Credential> atHand();

        /** The server did not accept this one: forget it. False where there will never be another. */
        boolean reject(Credential refused);

        static CredentialSource fixed(Credential credential) {
            return new CredentialSource() {
                @Override
                public Credential current() {
                    return credential;
                }

                @Override
                public Optional<Credential> atHand() {
                    return Optional.of(credential);
                }

                @Override
                public boolean reject(Credential refused) {
                    return false;
                }
            };
        }
    }
}
