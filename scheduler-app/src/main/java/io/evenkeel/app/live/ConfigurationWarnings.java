package io.evenkeel.app.live;

import io.evenkeel.config.Extender;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What of a configuration does something else than whoever wrote it may expect, said once at the start. */
final class ConfigurationWarnings {
    private static final Logger log = LoggerFactory.getLogger(ConfigurationWarnings.class);

    private ConfigurationWarnings() {}

    static void log(SchedulerConfiguration configuration, boolean dryRun) {
        boolean races = configuration.profiles().stream()
                .map(Profile::schedulerName)
                .anyMatch(Profile.DEFAULT_SCHEDULER_NAME::equals);
        if (races && !dryRun) {
            log.atWarn()
                    .setMessage(
                            "A profile has the name that pods without one get; a kube-scheduler must not run beside it")
                    .addKeyValue("profile", Profile.DEFAULT_SCHEDULER_NAME)
                    .log();
        }
        if (!configuration.extenders().isEmpty()) {
            log.atWarn()
                    .setMessage("Extenders are not supported yet and not asked")
                    .addKeyValue(
                            "extenders",
                            configuration.extenders().stream()
                                    .map(Extender::urlPrefix)
                                    .toList())
                    .log();
        }
    }
}
