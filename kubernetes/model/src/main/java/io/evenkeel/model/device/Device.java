package io.evenkeel.model.device;

import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A device of a ResourceSlice.
 *
 * @param attributes by name; a name without a domain is one of the driver's domain
 * @param capacity likewise
 * @param consumes counters of its pool that it takes while it is allocated
 * @param nodes where it can be used, in a slice in which each device says so itself
 * @param bindsToNode whether a claim that gets it is bound to the node that was chosen
 * @param bindingConditions which must be True before a pod is bound that gets it
 * @param bindingFailureConditions any that is True says that the device cannot be had
 * @param shared whether several claims may have it at once
 */
public record Device(
        String name,
        Map<String, Attribute> attributes,
        Map<String, Capacity> capacity,
        List<CounterUse> consumes,
        DeviceNodes nodes,
        List<DeviceTaint> taints,
        boolean bindsToNode,
        List<String> bindingConditions,
        List<String> bindingFailureConditions,
        boolean shared) {

    public Device named(String newName) {
        return new Device(
                newName,
                attributes,
                capacity,
                consumes,
                nodes,
                taints,
                bindsToNode,
                bindingConditions,
                bindingFailureConditions,
                shared);
    }

    /** The value of an attribute. */
    public sealed interface Attribute {
        record Int(long value) implements Attribute {}

        record Bool(boolean value) implements Attribute {}

        record Text(String value) implements Attribute {}

        /** A semantic version, as it is written. */
        record Version(String value) implements Attribute {}

        /** Of a type that is not read, such as a list. */
        record Unknown() implements Attribute {}
    }

    /**
     * How much a device has of something.
     *
     * @param policy how a claim may take a part of it, where several claims may have the device
     */
    public record Capacity(Quantity value, Optional<Policy> policy) {}

    /**
     * The amounts that claims may have.
     *
     * @param absent what a claim gets that asks for none
     * @param values the only amounts there are, where not empty; in ascending order
     */
    public record Policy(Optional<Quantity> absent, List<Quantity> values, Optional<Range> range) {}

    /** Amounts from min to max, in steps from min. */
    public record Range(Quantity min, Optional<Quantity> max, Optional<Quantity> step) {}

    /** What it takes of a counter set. */
    public record CounterUse(String counterSet, Map<String, Quantity> counters) {}
}
