package io.evenkeel.config.read;

import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.yaml.MappingFields;
import io.evenkeel.config.yaml.Range;
import java.util.List;

/** The top level of the document. */
final class ConfigurationBinder {
    private ConfigurationBinder() {}

    static SchedulerConfiguration bind(MappingFields fields) {
        SchedulerConfiguration defaults = SchedulerConfiguration.defaults();
        expect(fields, "apiVersion", SchedulerConfiguration.API_VERSION);
        expect(fields, "kind", SchedulerConfiguration.KIND);

        long initialBackoff =
                fields.int64("podInitialBackoffSeconds", defaults.podInitialBackoffSeconds(), Range.int64From(1));
        // One error for an unreadable number is enough: it stands for one that passes the comparison.
        long maxFallback = fields.has("podMaxBackoffSeconds") ? Long.MAX_VALUE : defaults.podMaxBackoffSeconds();
        long maxBackoff = fields.int64("podMaxBackoffSeconds", maxFallback, Range.INT64);
        if (maxBackoff < initialBackoff) {
            fields.error(
                    "podMaxBackoffSeconds",
                    "must be at least podInitialBackoffSeconds, which is " + initialBackoff + ", got " + maxBackoff);
        }
        boolean profiling = fields.bool("enableProfiling", true);
        return defaults.toBuilder()
                .parallelism(fields.int32("parallelism", defaults.parallelism(), Range.int32From(1)))
                .leaderElection(fields.mapping("leaderElection", ConnectionBinder::leaderElection)
                        .orElse(defaults.leaderElection()))
                .clientConnection(fields.mapping("clientConnection", ConnectionBinder::clientConnection)
                        .orElse(defaults.clientConnection()))
                .profiling(profiling, fields.bool("enableContentionProfiling", profiling))
                .percentageOfNodesToScore(
                        fields.int32("percentageOfNodesToScore", defaults.percentageOfNodesToScore(), Range.PERCENT))
                .backoff(initialBackoff, maxBackoff)
                .delayCacheUntilActive(fields.bool("delayCacheUntilActive", false))
                .profiles(profiles(fields, defaults))
                .extenders(ExtendersBinder.bind(fields))
                .build();
    }

    private static List<Profile> profiles(MappingFields fields, SchedulerConfiguration defaults) {
        List<Profile> profiles = ProfilesBinder.bind(fields);
        return profiles.isEmpty() ? defaults.profiles() : profiles;
    }

    private static void expect(MappingFields fields, String name, String expected) {
        if (!fields.has(name)) {
            fields.error(name, "is required: expected " + expected);
        } else if (!fields.string(name, expected).equals(expected)) {
            fields.get(name).ifPresent(value -> value.unexpected(expected));
        }
    }
}
