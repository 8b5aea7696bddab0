package io.evenkeel.app.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import io.evenkeel.app.logging.LogOutput.LogFormat;
import io.evenkeel.app.logging.LogOutput.Modules;
import io.evenkeel.app.logging.LogOutput.Verbosity;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class LogOutputTest {
    private final LoggerContext context = new LoggerContext();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Test
    void textIsOneLineWithQuotedValuesWhereNeeded() {
        Logger logger = logger(LogFormat.TEXT, 2);

        logger.atInfo()
                .setMessage("Pod bound")
                .addKeyValue("pod", "default/web-1")
                .addKeyValue("attempts", 2)
                .addKeyValue("why", "said \"so\"\nINFO forged")
                .log();

        assertThat(lines()).hasSize(1);
        assertThat(lines().getFirst())
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z INFO  Pod bound pod=default/web-1"
                        + " attempts=2 why=\"said \\\\\"so\\\\\"\\\\nINFO forged\"");
    }

    /** Of a server's message, a webhook's, a plugin's: as long as they like, and like lines of ours. */
    @Test
    void whatOthersSayIsCutAndItsLengthTold() {
        String flood = "x".repeat(5_000);
        Logger text = logger(LogFormat.TEXT, 2);
        text.atWarn().setMessage("Refused").addKeyValue("why", flood).log();
        assertThat(lines()).singleElement().asString().endsWith("why=\"" + "x".repeat(1024) + "… (5000 characters)\"");

        logger(LogFormat.TEXT, 2).warn(flood, new IllegalStateException(flood));
        assertThat(lines())
                .singleElement()
                .asString()
                .contains("WARN  " + "x".repeat(1024) + "… (5000 characters) error=")
                .endsWith("x… (5023 characters)\"");

        logger(LogFormat.JSON, 2)
                .atWarn()
                .setMessage(flood)
                .addKeyValue("why", flood)
                .setCause(new IllegalStateException(flood))
                .log();
        assertThat(lines()).singleElement().asString().hasSizeBetween(3_000, 3_400);

        logger(LogFormat.TEXT, 2)
                .atWarn()
                .setMessage("A")
                .addKeyValue("why", "😀".repeat(5_000))
                .log();
        assertThat(lines()).singleElement().asString().endsWith("😀… (10000 characters)\"");
    }

    @Test
    void whatWeListIsNotCut() {
        List<String> gates = Collections.nCopies(241, "SomeFeatureGate=true");
        logger(LogFormat.TEXT, 2)
                .atInfo()
                .setMessage("Gates")
                .addKeyValue("gates", gates)
                .log();
        assertThat(lines()).singleElement().asString().contains(gates.toString());
    }

    @Test
    void aStackTraceHasNoLinesThatAnExceptionsMessageMakesUp() {
        String forged = "no\n2026-11-22T10:00:00.000Z INFO  Successfully bound pod\u2028\u001b[2J" + "x".repeat(5_000);
        IllegalStateException failure = new IllegalStateException(forged, new IllegalArgumentException(forged));
        failure.addSuppressed(new IllegalArgumentException(forged));
        logger(LogFormat.TEXT, 2).error("A plugin failed", failure);

        assertThat(lines().getFirst())
                .contains("no\\n2026-11-22T10:00:00.000Z INFO")
                .contains("\\u2028\\u001b[2J");
        assertThat(lines().subList(1, lines().size()))
                .allMatch(line -> line.matches(
                        "(java\\.lang\\.IllegalStateException|Caused by: .*|\tSuppressed: .*|\t*(at|\\.\\.\\.)).*"))
                .allMatch(line -> line.length() < 1_300)
                .anyMatch(line -> line.startsWith("Caused by: java.lang.IllegalArgumentException: no\\n2026"))
                .anyMatch(line -> line.startsWith("\tSuppressed: java.lang.IllegalArgumentException: no\\n2026"))
                .anyMatch(line -> line.contains("common frames omitted"));
    }

    @Test
    void aSecondConfigurationDoesNotCloseWhatTheFirstWroteTo() {
        boolean[] closed = {false};
        var to = new ByteArrayOutputStream() {
            @Override
            public void close() {
                closed[0] = true;
            }
        };
        LogOutput.direct(context, to, LogFormat.TEXT, Verbosity.USUAL);
        LogOutput.direct(context, to, LogFormat.JSON, Verbosity.USUAL);

        assertThat(closed[0]).isFalse();
    }

    @Test
    void commandsForPeopleLogWarningsOnly() {
        try {
            LoggingOptions.applyWarningsOnly();

            Logger ours = LoggerFactory.getLogger("io.evenkeel.app.live");
            assertThat(ours.isInfoEnabled()).isFalse();
            assertThat(ours.isWarnEnabled()).isTrue();
        } finally {
            new LoggingOptions().apply();
        }
    }

    @Test
    void jsonIsOneObjectWithTypedFields() {
        logger(LogFormat.JSON, 2)
                .atWarn()
                .setMessage("Bind refused")
                .addKeyValue("pod", "default/web-1")
                .addKeyValue("attempts", 2)
                .addKeyValue("level", "mine")
                .setCause(new IllegalStateException("no", new IllegalArgumentException("wrong")))
                .log();

        assertThat(lines()).hasSize(1);
        assertThat(lines().getFirst())
                .contains("\"level\":\"warn\",\"logger\":\"Some\",\"msg\":\"Bind refused\"")
                .contains("\"pod\":\"default/web-1\",\"attempts\":2,\"level_\":\"mine\"")
                .endsWith("\"error\":\"IllegalStateException: no: IllegalArgumentException: wrong\"}");
    }

    @Test
    void expectedTroublesBringNoStackTraceUnlessDebugging() {
        logger(LogFormat.TEXT, 2).warn("Watch ended", new IllegalStateException("gone"));
        assertThat(lines()).singleElement().asString().endsWith("Watch ended error=\"IllegalStateException: gone\"");

        logger(LogFormat.TEXT, 4).warn("Watch ended", new IllegalStateException("gone"));
        assertThat(lines()).hasSizeGreaterThan(3);
    }

    @Test
    void errorsAlwaysBringTheirStackTrace() {
        logger(LogFormat.TEXT, 0).error("Engine failed", new IllegalStateException("bug"));

        assertThat(lines()).hasSizeGreaterThan(2).anyMatch(line -> line.contains("at io.evenkeel"));
    }

    @Test
    void verbosityIsKlogs() {
        assertThat(List.of(0, 1, 2, 3, 4, 5, 9))
                .extracting(number -> new Verbosity(number).level().toString())
                .containsExactly("INFO", "INFO", "INFO", "DEBUG", "DEBUG", "TRACE", "TRACE");
    }

    @Test
    void aModulesLevelAddsToThatOfAll() {
        Logger some = logger(LogFormat.TEXT, 2);
        Logger other = context.getLogger("io.evenkeel.kube.watch.Watch$Delivery");
        LogOutput.set(context, Modules.parse("watch=4,Som?=9"));

        some.trace("seen");
        other.debug("seen");
        other.trace("not seen");
        context.getLogger("io.evenkeel.app.Awesome").debug("not seen");
        context.getLogger("okhttp3.watch").debug("not seen");
        assertThat(lines()).hasSize(2).allMatch(line -> line.endsWith(" seen"));

        LogOutput.set(context, Modules.NONE);
        some.debug("not seen");
        assertThat(lines()).hasSize(2);
    }

    @Test
    void ofTwoWhoSetModulesAtOnceTheLastHolds() throws InterruptedException {
        Thread[] second = {new Thread()};
        LoggerContext met = new LoggerContext() {
            @Override
            public void resetTurboFilterList() {
                super.resetTurboFilterList();
                if (second[0].getState() == Thread.State.NEW) {
                    second[0].start();
                    while (second[0].isAlive() && second[0].getState() != Thread.State.BLOCKED) {
                        Thread.onSpinWait();
                    }
                }
            }
        };
        second[0] = new Thread(() -> LogOutput.set(met, Modules.parse("watch=5")));

        LogOutput.set(met, Modules.parse("queue=5"));
        second[0].join();

        assertThat(met.getTurboFilterList()).hasSize(1);
        assertThat(met.getLogger("io.evenkeel.watch").isTraceEnabled()).isTrue();
    }

    /** A user adds a level to the process that runs. */
    @ParameterizedTest
    @CsvSource({
        "*,true",
        "w*ch,true",
        "*a*c*,true",
        "*t?h,true",
        "w*a,false",
        "*x*,false",
        "a*,false",
        "\\E*,false",
        "*a*t*c*h*a*t*c*h*a*t*c*h*a*t*c*h*a*t*c*h*,false"
    })
    void aPatternOfModulesMayHaveStars(String pattern, boolean isHeard) {
        logger(LogFormat.TEXT, 2);
        LogOutput.set(context, Modules.parse(pattern + "=5"));

        assertThat(context.getLogger("io.evenkeel.watch").isTraceEnabled()).isEqualTo(isHeard);
        LogOutput.set(context, Modules.parse("*".repeat(500) + "_=5"));
        assertThat(context.getLogger("io.evenkeel." + "a".repeat(60)).isTraceEnabled())
                .isFalse();
    }

    @Test
    void theVerbosityChangesWhileTheProcessRuns() {
        Logger logger = logger(LogFormat.TEXT, 2);
        logger.debug("not seen", new IllegalStateException("gone"));
        LogOutput.set(context, new Verbosity(4));
        logger.debug("seen", new IllegalStateException("gone"));

        assertThat(lines()).hasSizeGreaterThan(2).first().asString().contains("DEBUG seen");
        assertThatThrownBy(() -> LoggingOptions.setVerbosity("-1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LoggingOptions.setModules("watch"))
                .hasMessage("\"watch\" does not have the form PATTERN=N");
    }

    @Test
    void aListIsAListInJson() {
        logger(LogFormat.JSON, 2)
                .atInfo()
                .setMessage("Gates")
                .addKeyValue("gates", List.of("A", "B\"", 3))
                .log();

        assertThat(lines()).singleElement().asString().endsWith("\"gates\":[\"A\",\"B\\\"\",3]}");
    }

    @Test
    void librariesAreHeardFromWarningsOn() {
        logger(LogFormat.TEXT, 9);
        Logger library = context.getLogger("okhttp3.Client");

        library.info("connected");
        library.warn("slow");

        assertThat(lines()).singleElement().asString().endsWith("slow");
    }

    @Test
    void logbackFindsItsFirstConfiguration() {
        assertThat(ServiceLoader.load(Configurator.class)).hasAtLeastOneElementOfType(FirstConfiguration.class);
    }

    @Test
    void theOptionsAreThoseOfKubernetes() {
        var options = new LoggingOptions();
        new CommandLine(new Command(options)).parseArgs("--logging-format=json", "-v", "4");

        assertThat(options.format()).isEqualTo(LogFormat.JSON);
        assertThat(options.verbosity()).isEqualTo(4);
        assertThatThrownBy(() -> new CommandLine(new Command(options)).parseArgs("--logging-format=xml"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("expected text or json, got \"xml\"");
    }

    private record Command(@CommandLine.Mixin LoggingOptions options) {}

    private Logger logger(LogFormat format, int verbosity) {
        written.reset();
        context.setMDCAdapter(new LogbackMDCAdapter());
        LogOutput.direct(context, written, format, new Verbosity(verbosity));
        return context.getLogger("io.evenkeel.app.Some");
    }

    private List<String> lines() {
        return written.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
