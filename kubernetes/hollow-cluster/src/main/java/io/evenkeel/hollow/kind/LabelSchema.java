package io.evenkeel.hollow.kind;

import io.evenkeel.hollow.kind.SchemaRules.TextForm;
import io.evenkeel.hollow.resource.FieldErrors;

/** The keys and values of labels, as the definitions have them. */
final class LabelSchema {
    private static final int LONGEST_PREFIX = 253;
    private static final String DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String NAME = "[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?";

    static final TextForm KEY = TextForm.of(
            317, 1, "^(" + DNS_LABEL + "([.]" + DNS_LABEL + ")*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$");
    /** That of a domain is not empty. */
    static final TextForm DOMAIN = TextForm.of(63, 1, "^" + NAME + "$");

    static final TextForm VALUE = TextForm.of(63, 0, "^(" + NAME + ")?$");

    private LabelSchema() {}

    /** The length of a key's prefix, which the pattern does not bound. Not to be asked where something is malformed. */
    static void checkPrefix(String where, String key, FieldErrors errors) {
        if (!hasShortPrefix(key)) {
            errors.invalid(where, key, "has a prefix of more than " + LONGEST_PREFIX + " characters");
        }
    }

    static boolean isKey(String text) {
        return KEY.fits(text) && hasShortPrefix(text);
    }

    private static boolean hasShortPrefix(String key) {
        return key.indexOf('/') <= LONGEST_PREFIX;
    }
}
