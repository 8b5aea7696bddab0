package io.evenkeel.app.http.serve;

import io.evenkeel.tls.Authorities;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;

/**
 * The authorities that are trusted to sign client certificates.
 *
 * @param users who sign certificates of users
 * @param proxy who may name the user of a request
 */
record TrustedClients(Authorities users, FrontProxy proxy) {
    public static final TrustedClients NONE = new TrustedClients(Authorities.NONE, FrontProxy.NONE);

    /** Without them, there is no use in asking clients for certificates. */
    public boolean isEmpty() {
        return users.isEmpty() && proxy.authorities().isEmpty();
    }

    /** The authorities that a handshake names, for clients to choose a certificate by. */
    public List<X509Certificate> issuers() {
        return Stream.of(users, proxy.authorities())
                .flatMap(authorities -> authorities.certificates().stream())
                .distinct()
                .toList();
    }
}
