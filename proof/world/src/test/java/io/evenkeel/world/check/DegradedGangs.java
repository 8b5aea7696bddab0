package io.evenkeel.world.check;

import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import java.util.HashMap;
import java.util.Map;

/** The gangs of which one replica says that fewer are in place than are needed. */
public final class DegradedGangs implements GroupObserver {
    private final Map<String, GroupKey> byOwner = new HashMap<>();
    private int counted;

    @Override
    public void degraded(int gangs) {
        counted = gangs;
    }

    @Override
    public void becameDegraded(GroupKey gang, int inPlace, int needed) {
        byOwner.put(gang.identity(), gang);
    }

    @Override
    public void recovered(GroupKey gang, int inPlace) {
        byOwner.remove(gang.identity());
    }

    /** By the UIDs of their owners. */
    Map<String, GroupKey> byOwner() {
        if (counted != byOwner.size()) {
            throw new Violation("counted are " + counted + " degraded gangs, and told of " + byOwner.values());
        }
        return byOwner;
    }
}
