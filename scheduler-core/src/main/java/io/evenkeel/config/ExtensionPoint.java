package io.evenkeel.config;

import java.util.Arrays;
import java.util.List;

/** The places in a scheduling cycle where plugins work, in the order in which a pod passes them. */
public enum ExtensionPoint {
    PRE_ENQUEUE("preEnqueue"),
    QUEUE_SORT("queueSort"),
    PRE_FILTER("preFilter"),
    FILTER("filter"),
    POST_FILTER("postFilter"),
    PRE_SCORE("preScore"),
    SCORE("score"),
    RESERVE("reserve"),
    PERMIT("permit"),
    PRE_BIND("preBind"),
    BIND("bind"),
    POST_BIND("postBind"),
    PLACEMENT_GENERATE("placementGenerate"),
    PLACEMENT_SCORE("placementScore"),
    /** No point of its own: every point that the plugin implements. */
    MULTI_POINT("multiPoint");

    private static final List<ExtensionPoint> SPECIFIC =
            Arrays.stream(values()).filter(point -> point != MULTI_POINT).toList();

    private final String configName;

    ExtensionPoint(String configName) {
        this.configName = configName;
    }

    /** The field of {@code plugins} in a configuration. */
    public String configName() {
        return configName;
    }

    /** All points but MULTI_POINT. */
    static List<ExtensionPoint> specific() {
        return SPECIFIC;
    }
}
