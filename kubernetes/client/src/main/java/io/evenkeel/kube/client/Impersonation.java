package io.evenkeel.kube.client;

import io.evenkeel.kube.client.Kubeconfig.KubeconfigSection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import okhttp3.Headers;

/**
 * The user that requests are made as, where a kubeconfig says {@code as} and its like.
 *
 * @param headers that name the user, sent with every request
 */
record Impersonation(Headers headers) {
    public static final Impersonation NONE = new Impersonation(Headers.of());

    /** The characters of a header's name; % escapes all others. */
    private static final String LEGAL = "abcdefghijklmnopqrstuvwxyz0123456789!#$&'*+-.^_`|~";

    static Impersonation of(KubeconfigSection user) {
        List<String> groups = user.strings("as-groups");
        Map<String, List<String>> extra = user.stringsByName("as-user-extra");
        Builder headers = new Builder(user);
        headers.add("Impersonate-User", "as", user.string("as").stream().toList());
        headers.add("Impersonate-Uid", "as-uid", user.string("as-uid").stream().toList());
        headers.add("Impersonate-Group", "as-groups", groups);
        extra.forEach((key, values) -> headers.add("Impersonate-Extra-" + escaped(key), "as-user-extra", values));
        if (user.string("as").isEmpty() && headers.found.build().size() > 0) {
            throw user.problem("as", "is missing: as-uid, as-groups and as-user-extra need a user");
        }
        return new Impersonation(headers.found.build());
    }

    /** The server reads such names without regard to upper and lower case, and undoes what is escaped. */
    private static String escaped(String key) {
        StringBuilder name = new StringBuilder();
        for (byte octet : key.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (octet & 0xff);
            name.append(
                    LEGAL.indexOf(character) < 0
                            ? String.format("%%%02X", (int) character)
                            : String.valueOf(character));
        }
        return name.toString();
    }

    /** Collects headers; no value may begin another header. */
    private static final class Builder {
        private final KubeconfigSection user;
        private final Headers.Builder found = new Headers.Builder();

        Builder(KubeconfigSection user) {
            this.user = user;
        }

        void add(String header, String field, List<String> values) {
            for (String value : values) {
                if (value.chars().anyMatch(Character::isISOControl)) {
                    throw user.problem(field, "has a control character");
                }
                found.addUnsafeNonAscii(header, value);
            }
        }
    }
}
