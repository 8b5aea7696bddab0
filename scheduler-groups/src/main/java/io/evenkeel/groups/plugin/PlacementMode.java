package io.evenkeel.groups.plugin;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.Pod;

/** How the pods of an owner are placed, by the annotation {@code evenkeel.io/group-placement} of each. */
sealed interface PlacementMode {
    enum Known implements PlacementMode {
        /** Each as it comes, with regard to the others. */
        LOOK_AHEAD,
        /** All or none. */
        GANG,
        /** The same, and at once where only the end is allowed. */
        END_STATE
    }

    String LOOK_AHEAD = "look-ahead";

    /** A value that means nothing. */
    record Nonsense(String value) implements PlacementMode {}

    static PlacementMode of(Pod pod) {
        String value = pod.meta().annotations().getOrDefault(Annotations.GROUP_PLACEMENT, LOOK_AHEAD);
        return switch (value) {
            case LOOK_AHEAD -> Known.LOOK_AHEAD;
            case "gang" -> Known.GANG;
            case "end-state" -> Known.END_STATE;
            default -> new Nonsense(value);
        };
    }

    static String refusal(String value) {
        return "annotation " + Annotations.GROUP_PLACEMENT + ": expected " + LOOK_AHEAD + ", gang or end-state, got \""
                + value + '"';
    }
}
