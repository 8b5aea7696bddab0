package io.evenkeel.app.why;

import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import java.util.List;

/** What pods are judged by where no configuration is given. */
public final class UsualProfiles {
    /** Pods that name no scheduler are those of one profile, pods of {@code evenkeel run} those of the other. */
    public static final SchedulerConfiguration CONFIGURATION = SchedulerConfiguration.defaults().toBuilder()
            .profiles(List.of(Profile.defaults(), Profile.defaults().named(Profile.OWN_NAME)))
            .build();

    private UsualProfiles() {}
}
