package io.evenkeel.framework.run;

import static io.evenkeel.config.ExtensionPoint.BIND;
import static io.evenkeel.config.ExtensionPoint.FILTER;
import static io.evenkeel.config.ExtensionPoint.POST_FILTER;
import static io.evenkeel.config.ExtensionPoint.PRE_BIND;
import static io.evenkeel.config.ExtensionPoint.PRE_ENQUEUE;
import static io.evenkeel.config.ExtensionPoint.PRE_FILTER;
import static io.evenkeel.config.ExtensionPoint.PRE_SCORE;
import static io.evenkeel.config.ExtensionPoint.RESERVE;
import static io.evenkeel.config.ExtensionPoint.SCORE;

import io.evenkeel.config.ExtensionPoint;
import java.util.Map;
import java.util.Set;

/**
 * The extension points of the reference's plugins that the registry may not have. An operator's configuration names
 * them, to disable or to weigh them; it must be read, and where such a plugin is not there it does nothing.
 */
final class ReferencePlugins {
    static final Map<String, Set<ExtensionPoint>> POINTS = Map.of(
            "VolumeRestrictions", Set.of(PRE_FILTER, FILTER),
            "NodeVolumeLimits", Set.of(PRE_FILTER, FILTER),
            "VolumeBinding", Set.of(PRE_FILTER, FILTER, PRE_SCORE, SCORE, RESERVE, PRE_BIND),
            "VolumeZone", Set.of(PRE_FILTER, FILTER),
            "DynamicResources",
                    Set.of(PRE_ENQUEUE, PRE_FILTER, FILTER, POST_FILTER, PRE_SCORE, SCORE, RESERVE, PRE_BIND),
            "DefaultPreemption", Set.of(PRE_ENQUEUE, POST_FILTER),
            "DefaultBinder", Set.of(BIND));

    /** Not needed in a profile: the engine binds pods that no plugin binds. */
    private static final String DONE_BY_THE_ENGINE = "DefaultBinder";

    /** The plugin is there in words only; its work for pods that claim devices is not. */
    private static final String IN_WORDS_ONLY = "DynamicResources";

    private ReferencePlugins() {}

    static boolean doesNothing(String name, Set<String> registered) {
        boolean isThere = registered.contains(name) && !name.equals(IN_WORDS_ONLY);
        return POINTS.containsKey(name) && !isThere && !name.equals(DONE_BY_THE_ENGINE);
    }
}
