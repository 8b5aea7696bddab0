package io.evenkeel.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.FilterReply;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.model.decode.cursor.Excerpt;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;

/** Destination, format and level of the log. Libraries log warnings and errors only. */
final class LogOutput {
    /** UTC, always with milliseconds, so that lines align and sort. */
    private static final DateTimeFormatter MILLISECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final String OURS = "io.evenkeel";

    private LogOutput() {}

    private static String timestamp(ILoggingEvent event) {
        return MILLISECONDS.format(Instant.ofEpochMilli(event.getTimeStamp()));
    }

    static void direct(LoggerContext context, OutputStream to, LogFormat format, Verbosity verbosity) {
        context.reset();
        LayoutBase<ILoggingEvent> layout = layout(format, context.getLogger(OURS)::isDebugEnabled);
        layout.setContext(context);
        layout.start();

        var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
        encoder.setContext(context);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setLayout((Layout<ILoggingEvent>) layout);
        encoder.start();

        // standard error is not ours to close, as logback would where a second configuration replaces the first
        var appender = new OutputStreamAppender<ILoggingEvent>() {
            @Override
            protected void closeOutputStream() {}
        };
        appender.setContext(context);
        appender.setName("lines");
        appender.setEncoder(encoder);
        appender.setOutputStream(to);
        appender.start();

        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        set(context, verbosity);
    }

    static void set(LoggerContext context, Verbosity verbosity) {
        context.getLogger(OURS).setLevel(verbosity.level());
    }

    /** One at a time, or each would add its filter to the other's. */
    static synchronized void set(LoggerContext context, Modules modules) {
        context.resetTurboFilterList();
        if (!modules.levels().isEmpty()) {
            context.addTurboFilter(modules.filter());
        }
    }

    /** @param stackTraces whether expected failures are logged with their stack traces, too */
    private static LayoutBase<ILoggingEvent> layout(LogFormat format, BooleanSupplier stackTraces) {
        return switch (format) {
            case TEXT -> new TextLayout(stackTraces);
            case JSON -> new JsonLayout(stackTraces);
        };
    }

    /** {@code 2026-11-21T10:31:00.123Z INFO  message key=value …}; values with anything but plain characters are quoted. */
    private static final class TextLayout extends LayoutBase<ILoggingEvent> {
        private static final Pattern PLAIN = Pattern.compile("[\\w./:@%+,\\[\\]-]+");

        private final BooleanSupplier stackTraces;

        TextLayout(BooleanSupplier stackTraces) {
            this.stackTraces = stackTraces;
        }

        @Override
        public String doLayout(ILoggingEvent event) {
            StringBuilder line = new StringBuilder(160);
            line.append(timestamp(event)).append(' ').append(event.getLevel());
            line.append(" ".repeat(Math.max(0, 5 - event.getLevel().toString().length())));
            line.append(' ').append(Excerpt.oneLine(OutsideText.brief(event.getFormattedMessage())));
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
            if (thrown != null
                    && (stackTraces.getAsBoolean() || event.getLevel().isGreaterOrEqual(Level.ERROR))) {
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
                        .append(Excerpt.oneLine(value.replace("\\", "\\\\").replace("\"", "\\\"")))
                        .append('"');
            }
        }
    }

    /** One JSON object a line: ts, level, logger, msg, then the event's own keys. */
    private static final class JsonLayout extends LayoutBase<ILoggingEvent> {
        private static final JsonFactory JSON = new JsonFactory();
        private static final Set<String> TAKEN = Set.of("ts", "level", "logger", "msg", "error", "stack");

        private final BooleanSupplier stackTraces;

        JsonLayout(BooleanSupplier stackTraces) {
            this.stackTraces = stackTraces;
        }

        @Override
        public String doLayout(ILoggingEvent event) {
            StringWriter line = new StringWriter(256);
            try (JsonGenerator json = JSON.createGenerator(line)) {
                json.writeStartObject();
                json.writeStringField("ts", timestamp(event));
                json.writeStringField("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
                json.writeStringField(
                        "logger",
                        event.getLoggerName()
                                .substring(1
                                        + Math.max(
                                                event.getLoggerName().lastIndexOf('.'),
                                                event.getLoggerName().lastIndexOf('$'))));
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
                    if (stackTraces.getAsBoolean() || event.getLevel().isGreaterOrEqual(Level.ERROR)) {
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
                case Collection<?> list -> {
                    json.writeStartArray();
                    int left = OutsideText.MOST_OF_LIST;
                    for (Object each : list) {
                        if (left <= 0) {
                            json.writeString("… (" + list.size() + " in all)");
                            break;
                        }
                        write(json, each);
                        left -= String.valueOf(each).length();
                    }
                    json.writeEndArray();
                }
                case null, default -> json.writeString(OutsideText.brief(value));
            }
        }
    }

    /** A failure in one line, or with all that led to it. Its messages may be anybody's, so they are {@link OutsideText}. */
    private static final class Throwables {
        private static final int CAUSES_SHOWN = 4;

        private Throwables() {}

        /** The message of each cause that adds to the one before. */
        static String inBrief(IThrowableProxy thrown) {
            StringBuilder brief = new StringBuilder(one(thrown));
            IThrowableProxy cause = thrown.getCause();
            for (int i = 0; cause != null && i < CAUSES_SHOWN; i++) {
                String message = one(cause);
                if (brief.indexOf(message) < 0) {
                    brief.append(": ").append(message);
                }
                cause = cause.getCause();
            }
            return OutsideText.brief(brief);
        }

        /** The stack of each cause, without what it has in common with the one that it caused. */
        static String stackTrace(IThrowableProxy thrown) {
            StringBuilder text = new StringBuilder(1024);
            append(text, thrown, "", "");
            return text.toString();
        }

        private static void append(StringBuilder text, IThrowableProxy thrown, String indentation, String role) {
            text.append(indentation).append(role);
            if (thrown.isCyclic()) {
                text.append("[CIRCULAR REFERENCE: ").append(headline(thrown)).append("]\n");
                return;
            }
            text.append(headline(thrown)).append('\n');
            StackTraceElementProxy[] frames = thrown.getStackTraceElementProxyArray();
            int own = frames.length - thrown.getCommonFrames();
            for (int i = 0; i < own; i++) {
                text.append(indentation)
                        .append("\tat ")
                        .append(Excerpt.oneLine(frames[i].getStackTraceElement().toString()))
                        .append('\n');
            }
            if (thrown.getCommonFrames() > 0) {
                text.append(indentation)
                        .append("\t... ")
                        .append(thrown.getCommonFrames())
                        .append(" common frames omitted\n");
            }
            for (IThrowableProxy suppressed : thrown.getSuppressed()) {
                append(text, suppressed, indentation + "\t", "Suppressed: ");
            }
            if (thrown.getCause() != null) {
                append(text, thrown.getCause(), indentation, "Caused by: ");
            }
        }

        private static String headline(IThrowableProxy thrown) {
            return thrown.getMessage() == null
                    ? thrown.getClassName()
                    : thrown.getClassName() + ": " + Excerpt.oneLine(OutsideText.brief(thrown.getMessage()));
        }

        private static String one(IThrowableProxy thrown) {
            String name = thrown.getClassName().substring(thrown.getClassName().lastIndexOf('.') + 1);
            return thrown.getMessage() == null ? name : name + ": " + thrown.getMessage();
        }
    }

    /**
     * The one place through which text gets into a line of the log: what a server, a webhook, a plugin or an object says may be
     * as long as it likes and look like lines of ours. It is cut, with its length told, and what would end a line or steer a
     * terminal is written as Java writes it. For example, of 5,000 letters after a line break:
     *
     * <pre>
     * \nxxxxxxxx…xxxx… (5001 characters)
     * </pre>
     */
    static final class OutsideText {
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
    }

    /** The format of log lines. */
    enum LogFormat {
        TEXT,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Log levels by klog's numbers: 0–2 info, 3–4 debug, 5 and more everything. */
    record Verbosity(int number) {
        static final Verbosity USUAL = new Verbosity(2);

        Level level() {
            if (number >= 5) {
                return Level.TRACE;
            }
            return number >= 3 ? Level.DEBUG : Level.INFO;
        }
    }

    /**
     * Log levels by module, in klog's form: {@code dispatch=4,Watch*=5}. A module is a class or a package below io.evenkeel, and a
     * level adds to the verbosity of all.
     */
    record Modules(String text, List<ModuleLevel> levels) {
        static final Modules NONE = new Modules("", List.of());
        private static final Pattern FORM = Pattern.compile("([^=]+)=([0-9]{1,9})");

        record ModuleLevel(Pattern name, Level level) {}

        /** @throws IllegalArgumentException with a message for the user */
        static Modules parse(String text) {
            List<ModuleLevel> levels = new ArrayList<>();
            for (String each : text.split(",", -1)) {
                Matcher parts = FORM.matcher(each);
                if (parts.matches()) {
                    levels.add(new ModuleLevel(
                            glob(parts.group(1)), new Verbosity(Integer.parseInt(parts.group(2))).level()));
                } else if (!each.isEmpty()) {
                    throw new IllegalArgumentException("\"" + each + "\" does not have the form PATTERN=N");
                }
            }
            return new Modules(text, List.copyOf(levels));
        }

        /** Takes the first place of what stands between two stars and looks for no other, so that no pattern takes long. */
        private static Pattern glob(String text) {
            String[] pieces = text.split("\\*", -1);
            StringBuilder glob = new StringBuilder(literal(pieces[0]));
            for (int i = 1; i < pieces.length; i++) {
                boolean isLast = i == pieces.length - 1;
                glob.append(isLast ? ".*" + literal(pieces[i]) : "(?>.*?" + literal(pieces[i]) + ")");
            }
            return Pattern.compile(glob.toString());
        }

        private static String literal(String text) {
            return Arrays.stream(text.split("\\?", -1)).map(Pattern::quote).collect(Collectors.joining("."));
        }

        private Level levelOf(String logger) {
            return logger.startsWith(OURS + ".")
                    ? Arrays.stream(logger.substring(OURS.length() + 1).split("[.$]", -1))
                            .flatMap(module -> levels.stream()
                                    .filter(each -> each.name().matcher(module).matches()))
                            .map(ModuleLevel::level)
                            .min(Comparator.comparingInt(Level::toInt))
                            .orElse(Level.OFF)
                    : Level.OFF;
        }

        TurboFilter filter() {
            Map<String, Level> known = new ConcurrentHashMap<>();
            return new TurboFilter() {
                @Override
                public FilterReply decide(
                        @Nullable Marker marker,
                        Logger logger,
                        Level level,
                        @Nullable String format,
                        Object @Nullable [] params,
                        @Nullable Throwable thrown) {
                    Level least = known.computeIfAbsent(logger.getName(), Modules.this::levelOf);
                    return level.isGreaterOrEqual(least) ? FilterReply.ACCEPT : FilterReply.NEUTRAL;
                }
            };
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
