package io.evenkeel.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Destination, format and level of the log. Libraries log warnings and errors only. */
final class LogOutput {
    private LogOutput() {}

    /** Replaces whatever the context wrote to before. */
    static void direct(LoggerContext context, OutputStream to, LogFormat format, Verbosity verbosity) {
        context.reset();
        LayoutBase<ILoggingEvent> layout = layout(format, verbosity);
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
        context.getLogger("io.evenkeel").setLevel(verbosity.level());
    }

    private static LayoutBase<ILoggingEvent> layout(LogFormat format, Verbosity verbosity) {
        return switch (format) {
            case TEXT -> new TextLayout(verbosity.showsStackTraces());
            case JSON -> new JsonLayout(verbosity.showsStackTraces());
        };
    }
}
