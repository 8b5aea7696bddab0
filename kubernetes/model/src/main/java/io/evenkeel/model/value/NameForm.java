package io.evenkeel.model.value;

import java.util.regex.Pattern;

/** The forms that Kubernetes gives names, and so the keys and values of labels. */
public final class NameForm {
    public static final int LONGEST_NAME = 63;
    private static final int LONGEST_SUBDOMAIN = 253;
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN = Pattern.compile(DNS_LABEL + "(\\." + DNS_LABEL + ")*");

    private NameForm() {}

    /** Whether a label can have that key: a name, with or without a DNS name and a slash in front. */
    public static boolean isLabelKey(String text) {
        int slash = text.indexOf('/');
        return isName(text.substring(slash + 1)) && (slash < 0 || isSubdomain(text.substring(0, slash)));
    }

    /** Whether a label can have that value: a name, or nothing. */
    public static boolean isLabelValue(String text) {
        return text.isEmpty() || isName(text);
    }

    /** Whether most objects can be named so. */
    public static boolean isSubdomain(String text) {
        return text.length() <= LONGEST_SUBDOMAIN && SUBDOMAIN.matcher(text).matches();
    }

    /** Whether a namespace can be named so. */
    public static boolean isDnsLabel(String text) {
        return text.length() <= LONGEST_NAME && DNS_LABEL.matcher(text).matches();
    }

    /** Letters and digits, and between them dashes, dots and underscores too: looked at one by one, as each node is asked for. */
    private static boolean isName(String text) {
        int last = text.length() - 1;
        if (last < 0
                || last >= LONGEST_NAME
                || !isLetterOrDigit(text.charAt(0))
                || !isLetterOrDigit(text.charAt(last))) {
            return false;
        }
        for (int i = 1; i < last; i++) {
            char each = text.charAt(i);
            if (!isLetterOrDigit(each) && each != '-' && each != '_' && each != '.') {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char each) {
        return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9');
    }
}
