package io.evenkeel.world.check;

import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.world.check.Gangs.Gang;
import java.util.HashMap;
import java.util.Map;

/** The gangs of which one replica says that fewer are in place than are needed. */
public final class DegradedGangs implements GroupObserver {
    private final Map<Gang, GroupKey> degraded = new HashMap<>();
    private int counted;

    @Override
    public void degraded(int gangs) {
        counted = gangs;
    }

    @Override
    public void becameDegraded(GroupKey gang, int inPlace, int needed) {
        degraded.put(known(gang), gang);
    }

    @Override
    public void recovered(GroupKey gang, int inPlace) {
        degraded.remove(known(gang));
    }

    private static Gang known(GroupKey gang) {
        return new Gang(gang.namespace(), gang.name(), gang.identity());
    }

    Map<Gang, GroupKey> all() {
        if (counted != degraded.size()) {
            throw new Violation("counted are " + counted + " degraded gangs, and told of " + degraded.values());
        }
        return degraded;
    }
}
