package io.evenkeel.app.http.serve;

import io.evenkeel.tls.Authorities;
import java.util.List;

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
    public record UserHeaders(List<String> names, List<String> groups, List<String> uids, List<String> extraPrefixes) {
        static final UserHeaders NONE = new UserHeaders(List.of(), List.of(), List.of(), List.of());
    }

    public boolean allows(String commonName) {
        return allowedNames.isEmpty() || allowedNames.contains(commonName);
    }
}
