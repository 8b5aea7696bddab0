package io.evenkeel.testing;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Configurations of one profile, by the names of the plugins that are enabled at every point that they have. */
public final class OneProfile {
    private OneProfile() {}

    /** With these and DefaultBinder, and no other. */
    public static SchedulerConfiguration only(String... plugins) {
        return read("disabled: [{name: '*'}], enabled: [%s{name: DefaultBinder}]", plugins);
    }

    /** With these beside the usual ones. */
    public static SchedulerConfiguration with(String... plugins) {
        return read("enabled: [%s]", plugins);
    }

    private static SchedulerConfiguration read(String multiPoint, String... plugins) {
        String enabled = Arrays.stream(plugins).map("{name: %s}, "::formatted).collect(Collectors.joining());
        return new ConfigurationReader().read("test", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles: [{plugins: {multiPoint: {%s}}}]
            """.formatted(multiPoint.formatted(enabled)));
    }
}
