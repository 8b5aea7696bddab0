package io.evenkeel.app.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.evenkeel.app.logging.LogOutput.LogFormat;
import io.evenkeel.app.logging.LogOutput.Verbosity;

/**
 * Logback's configuration at its first use: the usual output, without looking for configuration files. Found through
 * ServiceLoader.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class FirstConfiguration extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        LogOutput.direct(context, System.err, LogFormat.TEXT, Verbosity.USUAL);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
