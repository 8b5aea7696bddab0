package io.evenkeel.model.value;

/** The forms that Kubernetes gives names, and so the keys and values of labels. */
public final class NameForm {
    public static final int LONGEST_NAME = 63;
    private static final int LONGEST_SUBDOMAIN = 253;

    private NameForm() {}

    /** Whether a label can have that key: a name, with or without a DNS name and a slash in front. */
    public static boolean isLabelKey(String text) {
        int slash = text.indexOf('/');
        return isName(text, slash + 1) && (slash < 0 || isSubdomain(text, slash));
    }

    /** Whether a label can have that value: a name, or nothing. */
    public static boolean isLabelValue(String text) {
        return text.isEmpty() || isName(text, 0);
    }

    /** Whether most objects can be named so. */
    public static boolean isSubdomain(String text) {
        return isSubdomain(text, text.length());
    }

    /** Labels with dots between them, before the end: looked at one by one, as each node is asked for. */
    private static boolean isSubdomain(String text, int end) {
        if (end > LONGEST_SUBDOMAIN) {
            return false;
        }
        char before = '.';
        for (int i = 0; i < end; i++) {
            char each = text.charAt(i);
            boolean fits = switch (each) {
                case '-' -> before != '.';
                case '.' -> isLowerOrDigit(before);
                default -> isLowerOrDigit(each);
            };
            if (!fits) {
                return false;
            }
            before = each;
        }
        return isLowerOrDigit(before);
    }

    /** Whether a namespace can be named so. */
    public static boolean isDnsLabel(String text) {
        return text.length() <= LONGEST_NAME && text.indexOf('.') < 0 && isSubdomain(text);
    }

    /** Letters and digits, and between them dashes, dots and underscores too, to the end of the text. */
    private static boolean isName(String text, int from) {
        int last = text.length() - 1;
        if (last < from
                || last - from >= LONGEST_NAME
                || !isLetterOrDigit(text.charAt(from))
                || !isLetterOrDigit(text.charAt(last))) {
            return false;
        }
        for (int i = from + 1; i < last; i++) {
            char each = text.charAt(i);
            if (!isLetterOrDigit(each) && each != '-' && each != '_' && each != '.') {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char each) {
        return isLowerOrDigit(each) || (each >= 'A' && each <= 'Z');
    }

    private static boolean isLowerOrDigit(char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9');
    }
}
