package io.evenkeel.framework;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of what out-of-tree plugins are written against: the packages {@code model}, {@code config},
 * {@code cluster} and {@code framework}. It is Evenkeel's own, without what only mends.
 */
public record ApiVersion(int major, int minor) {
    public static final ApiVersion CURRENT = new ApiVersion(0, 2);

    private static final Pattern FORM = Pattern.compile("(\\d{1,9})\\.(\\d{1,9})");

    /** Of a text such as {@code 0.1}; empty where it is not of this form. */
    public static Optional<ApiVersion> parse(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches()
                ? Optional.of(new ApiVersion(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2))))
                : Optional.empty();
    }

    /**
     * Whether what was built for another version works with this one. A minor version only adds to the one before, but
     * below 1.0 it may take away too.
     */
    public boolean carries(ApiVersion builtFor) {
        return major == builtFor.major && (major == 0 ? minor == builtFor.minor : minor >= builtFor.minor);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
