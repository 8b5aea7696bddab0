package io.evenkeel.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Set;
import org.slf4j.event.KeyValuePair;

/** One JSON object a line: ts, level, logger, msg, then the event's own keys. */
final class JsonLayout extends LayoutBase<ILoggingEvent> {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Set<String> TAKEN = Set.of("ts", "level", "logger", "msg", "error", "stack");

    private final boolean stackTraces;

    JsonLayout(boolean stackTraces) {
        this.stackTraces = stackTraces;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        StringWriter line = new StringWriter(256);
        try (JsonGenerator json = JSON.createGenerator(line)) {
            json.writeStartObject();
            json.writeStringField("ts", Timestamps.format(event));
            json.writeStringField("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
            json.writeStringField(
                    "logger",
                    event.getLoggerName().substring(event.getLoggerName().lastIndexOf('.') + 1));
            json.writeStringField("msg", OutsideText.brief(event.getFormattedMessage()));
            if (event.getKeyValuePairs() != null) {
                for (KeyValuePair pair : event.getKeyValuePairs()) {
                    json.writeFieldName(TAKEN.contains(pair.key) ? pair.key + "_" : pair.key);
                    write(json, pair.value);
                }
            }
            IThrowableProxy thrown = event.getThrowableProxy();
            if (thrown != null) {
                json.writeStringField("error", Throwables.inBrief(thrown));
                if (stackTraces || event.getLevel().isGreaterOrEqual(Level.ERROR)) {
                    json.writeStringField("stack", Throwables.stackTrace(thrown));
                }
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line.append('\n').toString();
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            case Boolean truth -> json.writeBoolean(truth);
            case null, default -> json.writeString(OutsideText.brief(value));
        }
    }
}
