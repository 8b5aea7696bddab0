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

    /**
     * A proxy that has authenticated the user already and names them in headers. It is believed for its certificate alone:
     * the headers of other clients are ignored.
     *
     * @param authorities who sign its certificate
     * @param allowedNames what its certificate may be called; empty for whatever the authorities have signed
     */
    record FrontProxy(Authorities authorities, List<String> allowedNames, UserHeaders headers) {
        public static final FrontProxy NONE = new FrontProxy(Authorities.NONE, List.of(), UserHeaders.NONE);

        /**
         * The headers in which it names the user.
         *
         * @param names the first of these that is there has the name
         * @param groups each of these has a group
         * @param uids the first of these that is there has the UID
         * @param extraPrefixes what such a header says more of the user is called by the rest of its name
         */
        public record UserHeaders(
                List<String> names, List<String> groups, List<String> uids, List<String> extraPrefixes) {
            static final UserHeaders NONE = new UserHeaders(List.of(), List.of(), List.of(), List.of());
        }

        public boolean allows(String commonName) {
            return allowedNames.isEmpty() || allowedNames.contains(commonName);
        }
    }
}
