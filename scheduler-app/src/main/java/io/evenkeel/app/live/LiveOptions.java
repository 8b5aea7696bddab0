package io.evenkeel.app.live;

import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.SchedulerSettings.EngineLimits;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.plugins.InTreePlugins;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of a live scheduler that are not in its configuration.
 *
 * @param audit recount everything after each change, and end at the first difference
 * @param longestUnschedulable the longest time a pod stays unschedulable before it is tried again without an event
 * @param hostname of this machine or pod, for the identity in leases and events
 * @param observing look on only: decide nothing, take no part in the election, write nothing
 */
public record LiveOptions(
        boolean dryRun,
        boolean audit,
        Duration longestUnschedulable,
        String hostname,
        PluginRegistry plugins,
        EngineLimits limits,
        boolean observing,
        Optional<RecordOptions> record) {

    /** Of one that schedules with the plugins of the tree and the usual limits, and keeps no record. */
    public LiveOptions(boolean dryRun, boolean audit, Duration longestUnschedulable, String hostname) {
        this(
                dryRun,
                audit,
                longestUnschedulable,
                hostname,
                InTreePlugins.registry(),
                EngineLimits.USUAL,
                false,
                Optional.empty());
    }

    /** Records the run there, or does not. */
    public LiveOptions recording(Optional<RecordOptions> there) {
        return new LiveOptions(dryRun, audit, longestUnschedulable, hostname, plugins, limits, observing, there);
    }

    /** Of one that only looks on. */
    public static LiveOptions observing(String hostname, PluginRegistry plugins) {
        return new LiveOptions(
                false, false, Duration.ofMinutes(5), hostname, plugins, EngineLimits.USUAL, true, Optional.empty());
    }

    /** The settings of the engine beside its configuration. */
    SchedulerSettings settings(SchedulerConfiguration configuration) {
        return SchedulerSettings.of(configuration.clientConnection().qps())
                .withLongestUnschedulable(longestUnschedulable)
                .within(limits);
    }

    boolean isReadOnly() {
        return dryRun || observing;
    }

    public static LiveOptions usual(String hostname) {
        return new LiveOptions(false, false, Duration.ofMinutes(5), hostname);
    }
}
