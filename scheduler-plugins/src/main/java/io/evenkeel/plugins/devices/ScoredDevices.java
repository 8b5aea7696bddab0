package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.CountedDevices;
import io.evenkeel.cluster.counting.ExtendedResources;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.devices.Pools.Unit;
import io.evenkeel.plugins.devices.Selectors.Selector;
import io.evenkeel.plugins.devices.Selectors.Unanswered;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All devices within a node's reach count, whatever is wrong with their pools. */
public final class ScoredDevices implements CountedDevices {
    private final ExtendedResources extended;
    private final ObjectStore objects;
    private final NodeTable nodes;
    private final Work work;
    private final DeviceBook book;
    private long all;
    private long inUse;

    public ScoredDevices(ClusterView cluster) {
        extended = cluster.extendedResources();
        objects = cluster.objects();
        nodes = cluster.nodes();
        work = cluster.work();
        book = DeviceBook.of(cluster);
    }

    @Override
    public Set<Kind<?>> kinds() {
        return Set.of(Kinds.DEVICE_CLASS, Kinds.RESOURCE_SLICE, Kinds.RESOURCE_CLAIM);
    }

    @Override
    public void count(String resource, int node) {
        all = 0;
        inUse = 0;
        Optional<DeviceClass> itsClass =
                extended.classOf(resource).flatMap(name -> objects.find(Kinds.DEVICE_CLASS, name));
        if (itsClass.isPresent()) {
            List<Selector> selectors = itsClass.get().selectors().stream()
                    .filter(expression -> !expression.isEmpty())
                    .map(book::selector)
                    .toList();
            try {
                book.forEachReached(nodes.node(node), unit -> count(unit, selectors));
            } catch (Unanswered _) {
                all = 0;
                inUse = 0;
            }
        }
    }

    private void count(Unit unit, List<Selector> selectors) {
        work.add(1);
        for (Selector selector : selectors) {
            if (!selector.matches(unit, work::add)) {
                return;
            }
        }
        all++;
        inUse += unit.holding.isHeld() ? 1 : 0;
    }

    @Override
    public long all() {
        return all;
    }

    @Override
    public long inUse() {
        return inUse;
    }
}
