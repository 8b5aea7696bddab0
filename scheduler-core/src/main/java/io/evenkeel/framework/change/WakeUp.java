package io.evenkeel.framework.change;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Which kinds of change a plugin wants to hear of for the pods that it has turned away, and how it judges them. */
public record WakeUp(Set<ChangeKind> kinds, Hint hint) {

    public WakeUp {
        kinds = Collections.unmodifiableSet(EnumSet.copyOf(kinds));
    }

    public static WakeUp on(Hint hint, ChangeKind first, ChangeKind... more) {
        return new WakeUp(EnumSet.of(first, more), hint);
    }
}
