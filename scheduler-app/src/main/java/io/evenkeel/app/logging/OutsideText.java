package io.evenkeel.app.logging;

import java.util.Collection;

/**
 * The one place through which text gets into a line of the log: what a server, a webhook, a plugin or an object says may be
 * as long as it likes and look like lines of ours. It is cut, with its length told, and what would end a line or steer a
 * terminal is written as Java writes it. For example, of 5,000 letters after a line break:
 *
 * <pre>
 * \nxxxxxxxx…xxxx… (5001 characters)
 * </pre>
 */
final class OutsideText {
    /** 1 KB of what is mostly ASCII. */
    private static final int MOST = 1024;

    /** What is listed one by one is ours, such as all feature gates that have no effect. */
    private static final int MOST_OF_LIST = 16 * 1024;

    private OutsideText() {}

    /** The value as text, cut. */
    static String brief(Object value) {
        return brief(String.valueOf(value), value instanceof Collection<?> ? MOST_OF_LIST : MOST);
    }

    private static String brief(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "… (" + text.length() + " characters)";
    }

    /** The text without anything that ends a line or is no character to be seen. */
    static String oneLine(String text) {
        int next = 0;
        while (next < text.length() && !isUnseen(text.charAt(next))) {
            next++;
        }
        if (next == text.length()) {
            return text;
        }
        StringBuilder line = new StringBuilder(text.length() + 16).append(text, 0, next);
        for (; next < text.length(); next++) {
            char c = text.charAt(next);
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (isUnseen(c)) {
                        line.append(String.format("\\u%04x", (int) c));
                    } else {
                        line.append(c);
                    }
                }
            }
        }
        return line.toString();
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
