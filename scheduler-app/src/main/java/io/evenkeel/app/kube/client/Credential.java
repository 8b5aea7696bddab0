package io.evenkeel.app.kube.client;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * What we show to be let in.
 *
 * @param authorization the value of the header
 * @param certificate the client certificate
 */
record Credential(Optional<String> authorization, Optional<Certificate> certificate) {
    static final Credential NONE = new Credential(Optional.empty(), Optional.empty());

    /** A client certificate and its key, both as PEM. */
    record Certificate(String chain, String key) {}

    static Credential bearer(String token) {
        return new Credential(Optional.of("Bearer " + token.strip()), Optional.empty());
    }

    static Credential basic(String user, String password) {
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return new Credential(Optional.of("Basic " + Base64.getEncoder().encodeToString(both)), Optional.empty());
    }

    /** This, with what it lacks taken from the other. */
    Credential or(Credential other) {
        return new Credential(authorization.or(other::authorization), certificate.or(other::certificate));
    }

    @Override
    public String toString() {
        return "Credential[…]";
    }
}
