package io.evenkeel.model.decode.cursor;

/**
 * As much of a text that came from outside as a message of one line shows: a hundred characters, of which none ends the
 * line.
 */
public final class Excerpt {
    private static final int LONGEST = 100;

    private Excerpt() {}

    public static String of(String text) {
        return of(text, LONGEST);
    }

    public static String of(String text, int longest) {
        int end = text.length() <= longest
                ? text.length()
                : text.offsetByCodePoints(0, Math.min(longest, text.codePointCount(0, text.length())));
        if (end == text.length() && isVisible(text)) {
            return text;
        }
        StringBuilder line = new StringBuilder(end + 16);
        for (int i = 0; i < end; i++) {
            append(line, text.charAt(i));
        }
        return line.append(end < text.length() ? "…" : "").toString();
    }

    /** All of it: what would end the line, steer a terminal or turn the direction of writing is written as Java writes it. */
    public static String oneLine(String text) {
        return of(text, Integer.MAX_VALUE);
    }

    public static String quoted(String text) {
        return "\"" + of(text) + "\"";
    }

    private static void append(StringBuilder line, char c) {
        switch (c) {
            case '\n' -> line.append("\\n");
            case '\r' -> line.append("\\r");
            case '\t' -> line.append("\\t");
            default -> {
                if (isUnseen(c)) {
                    line.append("\\u%04x".formatted((int) c));
                } else {
                    line.append(c);
                }
            }
        }
    }

    private static boolean isVisible(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isUnseen(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Control characters, line and paragraph separators, and what turns the direction of writing. */
    private static boolean isUnseen(char c) {
        return Character.isISOControl(c)
                || c == '\u2028'
                || c == '\u2029'
                || (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
    }
}
