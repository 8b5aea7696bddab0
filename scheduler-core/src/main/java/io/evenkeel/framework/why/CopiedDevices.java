package io.evenkeel.framework.why;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.DeviceNodes;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.kind.Kinds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The devices of a node for one that is like it: its own pools under other names. Devices that other nodes share stay as they are. */
public final class CopiedDevices {
    private CopiedDevices() {}

    private record PoolName(String driver, String pool) {
        static PoolName of(ResourceSlice slice) {
            return new PoolName(slice.driver(), slice.pool().name());
        }
    }

    /** The slices of the new node, beside all that there are. */
    public static List<ResourceSlice> of(Collection<ResourceSlice> all, String like, String name) {
        List<ResourceSlice> slices = new ArrayList<>();
        Set<PoolName> own = new HashSet<>();
        Set<PoolName> others = new HashSet<>();
        for (ResourceSlice slice : all) {
            if (isOf(slice, like)) {
                own.add(PoolName.of(slice));
            } else if (slice.sharedCounters().isEmpty()) {
                others.add(PoolName.of(slice));
            }
        }
        own.removeAll(others);
        if (own.isEmpty()) {
            return List.of();
        }
        Set<String> taken = new HashSet<>();
        for (ResourceSlice slice : all) {
            taken.add(slice.meta().name());
            if (own.contains(PoolName.of(slice))) {
                slices.add(slice);
            }
        }
        return slices.stream().map(slice -> copy(slice, like, name, taken)).toList();
    }

    /** Whether all of its devices are the node's alone. */
    private static boolean isOf(ResourceSlice slice, String node) {
        return slice.perDevice()
                ? !slice.devices().isEmpty()
                        && slice.devices().stream()
                                .allMatch(device -> device.nodes().name().equals(node))
                : slice.nodes().name().equals(node);
    }

    private static ResourceSlice copy(ResourceSlice slice, String like, String name, Set<String> taken) {
        String renamed = slice.meta().name().contains(like)
                ? slice.meta().name().replace(like, name)
                : slice.meta().name() + '-' + name;
        while (!taken.add(renamed)) {
            renamed += "-more";
        }
        String pool = slice.pool().name();
        return new ResourceSlice(
                slice.meta().ofAnother(renamed),
                slice.driver(),
                new ResourceSlice.Pool(
                        pool.contains(like) ? pool.replace(like, name) : pool + '-' + name,
                        slice.pool().generation(),
                        slice.pool().slices()),
                renamed(slice.nodes(), name),
                slice.perDevice(),
                slice.devices().stream().map(device -> of(device, name)).toList(),
                slice.sharedCounters());
    }

    private static DeviceNodes renamed(DeviceNodes nodes, String name) {
        return nodes.name().isEmpty() ? nodes : new DeviceNodes(name, nodes.selector(), nodes.all());
    }

    /** A new device comes without taints. */
    private static Device of(Device device, String node) {
        return new Device(
                device.name(),
                device.attributes(),
                device.capacity(),
                device.consumes(),
                renamed(device.nodes(), node),
                List.of(),
                device.bindsToNode(),
                device.bindingConditions(),
                device.bindingFailureConditions(),
                device.shared());
    }

    /** How many devices each node has for itself, of each driver. */
    public static Map<String, Map<String, Integer>> byNodeAndDriver(ClusterView cluster) {
        Map<String, Map<String, Integer>> devices = new HashMap<>();
        for (ResourceSlice slice : cluster.objects().all(Kinds.RESOURCE_SLICE)) {
            for (Device device : slice.devices()) {
                String node = (slice.perDevice() ? device.nodes() : slice.nodes()).name();
                if (!node.isEmpty()) {
                    devices.computeIfAbsent(node, _ -> new HashMap<>()).merge(slice.driver(), 1, Integer::sum);
                }
            }
        }
        return devices;
    }
}
