package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.serve.Identification.User;
import io.evenkeel.app.http.serve.TrustedClients.FrontProxy;
import io.evenkeel.tls.SubjectName;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Users whom a front proxy names in headers. Any client can send such headers, so they are read only after the
 * certificate has turned out to be the proxy's.
 */
record ProxiedUsers(Supplier<TrustedClients> trust, InstantSource clock) implements Identification {
    @Override
    public Finding identify(Request request) {
        FrontProxy proxy = trust.get().proxy();
        if (request.certificates().isEmpty() || proxy.authorities().isEmpty()) {
            return NOTHING;
        }
        try {
            proxy.authorities().requireClient(request.certificates(), clock.instant());
        } catch (GeneralSecurityException e) {
            return new Finding.Refused("not a certificate of a front proxy: " + e.getMessage());
        }
        String name = SubjectName.of(request.certificates().getFirst()).commonName();
        return proxy.allows(name)
                ? user(request, proxy.headers())
                : new Finding.Refused("no front proxy may be called \"" + name + "\"");
    }

    private static Finding user(Request request, FrontProxy.UserHeaders headers) {
        return values(request, headers.names())
                .findFirst()
                .<Finding>map(name -> new Finding.Known(new User(
                                name,
                                values(request, headers.uids()).findFirst().orElse(""),
                                values(request, headers.groups()).toList(),
                                extra(request, headers.extraPrefixes()))
                        .authenticated()))
                .orElse(NOTHING);
    }

    private static Stream<String> values(Request request, List<String> names) {
        return names.stream()
                .flatMap(name -> request.headerValues(name).stream())
                .filter(value -> !value.isEmpty());
    }

    private static Map<String, List<String>> extra(Request request, List<String> prefixes) {
        Map<String, List<String>> extra = new TreeMap<>();
        for (String header : request.headerNames()) {
            String lowerCase = header.toLowerCase(Locale.ROOT);
            for (String prefix : prefixes) {
                if (lowerCase.startsWith(prefix.toLowerCase(Locale.ROOT))) {
                    extra.computeIfAbsent(decode(lowerCase.substring(prefix.length())), key -> new ArrayList<>())
                            .addAll(request.headerValues(header));
                }
            }
        }
        return extra;
    }

    /** Percent signs for what header names cannot contain, such as a slash; what is no valid encoding stays. */
    private static String decode(String key) {
        try {
            return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return key;
        }
    }
}
