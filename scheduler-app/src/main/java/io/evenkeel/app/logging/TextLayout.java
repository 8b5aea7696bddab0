package io.evenkeel.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.LayoutBase;
import java.util.regex.Pattern;
import org.slf4j.event.KeyValuePair;

/** {@code 2026-11-21T10:31:00.123Z INFO  message key=value …}; values with anything but plain characters are quoted. */
final class TextLayout extends LayoutBase<ILoggingEvent> {
    private static final Pattern PLAIN = Pattern.compile("[\\w./:@%+,\\[\\]-]+");

    private final boolean stackTraces;

    TextLayout(boolean stackTraces) {
        this.stackTraces = stackTraces;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(160);
        line.append(Timestamps.format(event)).append(' ').append(event.getLevel());
        line.append(" ".repeat(Math.max(0, 5 - event.getLevel().toString().length())));
        line.append(' ').append(OutsideText.oneLine(OutsideText.brief(event.getFormattedMessage())));
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                append(line, pair.key, OutsideText.brief(pair.value));
            }
        }
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            append(line, "error", Throwables.inBrief(thrown));
        }
        line.append('\n');
        if (thrown != null && (stackTraces || event.getLevel().isGreaterOrEqual(Level.ERROR))) {
            line.append(Throwables.stackTrace(thrown));
        }
        return line.toString();
    }

    private static void append(StringBuilder line, String key, String value) {
        line.append(' ').append(key).append('=');
        if (PLAIN.matcher(value).matches()) {
            line.append(value);
        } else {
            line.append('"')
                    .append(OutsideText.oneLine(value.replace("\\", "\\\\").replace("\"", "\\\"")))
                    .append('"');
        }
    }
}
