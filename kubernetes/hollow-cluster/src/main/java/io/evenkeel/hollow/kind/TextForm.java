package io.evenkeel.hollow.kind;

import io.evenkeel.hollow.resource.FieldErrors;
import java.util.regex.Pattern;

/**
 * The rules that a custom resource's schema may set for a text. A real server names only the first that is broken.
 *
 * @param longest characters
 * @param shortest characters
 */
record TextForm(int longest, int shortest, Pattern pattern) {

    static TextForm of(int longest, int shortest, String pattern) {
        return new TextForm(longest, shortest, Pattern.compile(pattern));
    }

    void check(String where, String text, FieldErrors errors) {
        if (length(text) > longest) {
            errors.tooLong(where, longest);
        } else if (length(text) < shortest) {
            errors.invalid(where, text, where + " in body should be at least " + shortest + " chars long");
        } else if (!pattern.matcher(text).matches()) {
            errors.invalid(where, text, where + " in body should match '" + pattern + "'");
        }
    }

    /** Whether a text is of this form. */
    boolean fits(String text) {
        return length(text) <= longest
                && length(text) >= shortest
                && pattern.matcher(text).matches();
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
