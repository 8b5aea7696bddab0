package io.evenkeel.engine.why;

import io.evenkeel.framework.why.Change;
import java.util.List;
import java.util.Optional;

/** Tries changes. Changes nothing itself. */
@FunctionalInterface
public interface Trial {

    /** Where the pod goes once these are made, in this order; empty where it still fits nowhere, or they cannot be made. */
    Optional<String> nodeWith(List<Change> changes);
}
