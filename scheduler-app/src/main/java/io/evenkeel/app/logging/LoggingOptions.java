package io.evenkeel.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import io.evenkeel.app.logging.LogOutput.LogFormat;
import io.evenkeel.app.logging.LogOutput.Modules;
import io.evenkeel.app.logging.LogOutput.Verbosity;
import io.evenkeel.app.option.Converters.WholeNumber;
import java.util.Arrays;
import java.util.Iterator;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of commands that log. A command calls {@link #apply} before it does anything else. */
@Command(optionListHeading = "Logging")
public final class LoggingOptions {
    @Option(
            names = "--logging-format",
            paramLabel = "FORMAT",
            converter = FormatConverter.class,
            completionCandidates = FormatNames.class,
            description = "Format of log lines: text, or json, one object a line (default: text)")
    private LogFormat format = LogFormat.TEXT;

    @Option(
            names = {"-v", "--v"},
            paramLabel = "N",
            converter = WholeNumber.FromZero.class,
            description = "Log verbosity by klog's numbers: 0-2 info, 3-4 debug, 5 and more"
                    + " everything (default: ${DEFAULT-VALUE})")
    private int verbosity = Verbosity.USUAL.number();

    @Option(
            names = "--vmodule",
            paramLabel = "PATTERN=N,...",
            converter = ModulesConverter.class,
            description = "Log verbosity by class or package of Evenkeel, beyond -v: dispatch=4,Watch*=5")
    private Modules modules = Modules.NONE;

    /** From now on the log goes to standard error as the options say. */
    public void apply() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            LogOutput.direct(context, System.err, format, new Verbosity(verbosity));
            LogOutput.set(context, modules);
        }
    }

    /**
     * Changes the verbosity of a process that runs.
     *
     * @throws IllegalArgumentException if this is no whole number from 0 on
     */
    public static void setVerbosity(String number) {
        if (!number.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException("expected a whole number from 0 on");
        }
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            LogOutput.set(context, new Verbosity(Integer.parseInt(number)));
        }
    }

    /**
     * Changes the verbosity of some modules of a process that runs; of those that are not named it is that of all again.
     *
     * @throws IllegalArgumentException if these are no patterns with numbers
     */
    public static void setModules(String patterns) {
        Modules parsed = Modules.parse(patterns);
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            LogOutput.set(context, parsed);
        }
    }

    /** Warnings and errors only, for commands that print for people to read. */
    public static void applyWarningsOnly() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            LogOutput.direct(context, System.err, LogFormat.TEXT, Verbosity.USUAL);
            context.getLogger("io.evenkeel").setLevel(Level.WARN);
        }
    }

    /** From now on this logger tells nothing but errors, as the command tells it itself. */
    public static void silence(String logger) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger(logger).setLevel(Level.ERROR);
        }
    }

    LogFormat format() {
        return format;
    }

    int verbosity() {
        return verbosity;
    }

    static final class FormatConverter implements ITypeConverter<LogFormat> {
        @Override
        public LogFormat convert(String value) {
            for (LogFormat format : LogFormat.values()) {
                if (format.toString().equals(value)) {
                    return format;
                }
            }
            throw new TypeConversionException("expected text or json, got \"" + value + "\"");
        }
    }

    static final class ModulesConverter implements ITypeConverter<Modules> {
        @Override
        public Modules convert(String value) {
            try {
                return Modules.parse(value);
            } catch (IllegalArgumentException malformed) {
                throw new TypeConversionException(String.valueOf(malformed.getMessage()));
            }
        }
    }

    static final class FormatNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(LogFormat.values()).map(LogFormat::toString).iterator();
        }
    }
}
