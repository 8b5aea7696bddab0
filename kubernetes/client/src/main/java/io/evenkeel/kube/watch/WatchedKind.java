package io.evenkeel.kube.watch;

import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;

/**
 * A kind of object that is watched.
 *
 * @param fieldSelector which of its objects, as a query has it; empty for all
 */
record WatchedKind(Kind<?> kind, String fieldSelector) {
    public static final WatchedKind POD =
            new WatchedKind(Kinds.POD, "status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed");

    public static WatchedKind of(Kind<?> kind) {
        return kind.equals(Kinds.POD) ? POD : new WatchedKind(kind, "");
    }

    /** As objects name it. */
    String name() {
        return kind.name();
    }
}
