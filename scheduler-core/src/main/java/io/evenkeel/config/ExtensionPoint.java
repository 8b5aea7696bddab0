package io.evenkeel.config;

import io.evenkeel.model.value.NamedConstant;
import java.util.Arrays;
import java.util.List;

/** The places in a scheduling cycle where plugins work, in the order in which a pod passes them. */
public enum ExtensionPoint implements NamedConstant {
    PRE_ENQUEUE,
    QUEUE_SORT,
    PRE_FILTER,
    FILTER,
    POST_FILTER,
    PRE_SCORE,
    SCORE,
    RESERVE,
    PERMIT,
    PRE_BIND,
    BIND,
    POST_BIND,
    PLACEMENT_GENERATE,
    PLACEMENT_SCORE,
    /** No point here either, but a field of the configuration: a gang's search finds who goes for it. */
    POD_GROUP_POST_FILTER,
    /** No point of its own: every point that the plugin implements. */
    MULTI_POINT;

    private static final List<ExtensionPoint> SPECIFIC =
            Arrays.stream(values()).filter(point -> point != MULTI_POINT).toList();

    /** All points but MULTI_POINT. */
    static List<ExtensionPoint> specific() {
        return SPECIFIC;
    }
}
