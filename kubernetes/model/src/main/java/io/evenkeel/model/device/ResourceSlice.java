package io.evenkeel.model.device;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;

/**
 * A ResourceSlice: some of the devices of a driver's pool.
 *
 * @param nodes where all of its devices can be used; where {@code perDevice}, each device says so itself
 * @param sharedCounters what its pool's devices have in common, such as the memory of a card that is cut into partitions
 */
public record ResourceSlice(
        ObjectMeta meta,
        String driver,
        Pool pool,
        DeviceNodes nodes,
        boolean perDevice,
        List<Device> devices,
        List<CounterSet> sharedCounters)
        implements PluginObject {

    @Override
    public String kindName() {
        return "ResourceSlice";
    }

    /**
     * The pool that a slice is of.
     *
     * @param generation slices of an older one count no longer
     * @param slices how many make the pool complete
     */
    public record Pool(String name, long generation, long slices) {}

    /** Counters under their name; devices of the pool consume them. */
    public record CounterSet(String name, Map<String, Quantity> counters) {}
}
