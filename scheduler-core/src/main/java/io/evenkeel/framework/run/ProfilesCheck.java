package io.evenkeel.framework.run;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.problem.ConfigurationException;
import java.util.ArrayList;
import java.util.List;

/** A check that a configuration's profiles can be made of the plugins that there are, which its reader does not know. */
public final class ProfilesCheck {
    private ProfilesCheck() {}

    /**
     * Lets pass what can be made.
     *
     * @throws ConfigurationException with all that is wrong, by the path of the field
     */
    public static void require(String source, SchedulerConfiguration configuration, PluginRegistry registry) {
        refuse(errors(configuration, registry).stream()
                .map(error -> source + ": " + error)
                .toList());
    }

    /**
     * Checks them, and names the place in the file.
     *
     * @param text what the configuration was read from
     */
    public static void require(
            String file, String text, SchedulerConfiguration configuration, PluginRegistry registry) {
        refuse(ConfigurationReader.placed(file, text, errors(configuration, registry)));
    }

    private static void refuse(List<String> errors) {
        if (!errors.isEmpty()) {
            throw new ConfigurationException(errors);
        }
    }

    private static List<String> errors(SchedulerConfiguration configuration, PluginRegistry registry) {
        List<String> errors = new ArrayList<>();
        List<Profile> profiles = configuration.profiles();
        for (int i = 0; i < profiles.size(); i++) {
            String place = "profiles[" + i + "].";
            try {
                SchedulingProfile.of(profiles.get(i), registry, ClusterView.empty(configuration.featureGates()));
            } catch (ConfigurationException wrong) {
                wrong.errors().forEach(error -> errors.add(place + error));
            }
        }
        return errors;
    }
}
