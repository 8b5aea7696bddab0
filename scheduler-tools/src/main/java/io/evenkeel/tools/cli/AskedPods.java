package io.evenkeel.tools.cli;

import io.evenkeel.tools.why.Supposition;
import java.util.List;
import java.util.Optional;

/** Which pods of a cluster are asked about. */
sealed interface AskedPods {

    default boolean isOne() {
        return this instanceof One;
    }

    /**
     * One.
     *
     * @param key as {@code namespace/name}
     * @param suppositions what would be said if all of this were so; none where it is asked how things are
     */
    record One(String key, List<Supposition> suppositions) implements AskedPods {}

    /** All that wait, of a namespace or of all. */
    record AllThatWait(Optional<String> namespace) implements AskedPods {}
}
