package io.evenkeel.kube.client;

import io.evenkeel.tls.PemIdentity;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

/** Certificates that vouch for the server, as PEM. */
record Authority(String pem) {

    /** @throws GeneralSecurityException if there is no certificate in it */
    static Authority of(byte[] pem) throws GeneralSecurityException {
        PemIdentity.certificates(pem);
        return new Authority(new String(pem, StandardCharsets.UTF_8));
    }

    public byte[] bytes() {
        return pem.getBytes(StandardCharsets.UTF_8);
    }
}
