package io.evenkeel.app.logging;

import io.evenkeel.model.decode.cursor.Excerpt;
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

    /** A list's items are ours, such as all feature gates that have no effect. */
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
        return Excerpt.oneLine(text);
    }
}
