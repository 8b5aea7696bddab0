package io.evenkeel.model.device;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import java.util.List;
import java.util.Optional;

/**
 * A ResourceClaim.
 *
 * @param devices what of its allocated devices drivers say
 */
public record ResourceClaim(
        ObjectMeta meta,
        Spec spec,
        Optional<DeviceAllocation> allocation,
        List<Consumer> reservedFor,
        List<DeviceState> devices)
        implements PluginObject {

    /** Kubernetes takes no more results than these for a claim. */
    public static final int MOST_DEVICES = 32;

    /** Kubernetes takes no more consumers than these for a claim. */
    public static final int MOST_CONSUMERS = 256;

    @Override
    public String kindName() {
        return "ResourceClaim";
    }

    public String key() {
        return meta.key();
    }

    /** The same, asking for something else. */
    public ResourceClaim asking(Spec other) {
        return new ResourceClaim(meta, other, allocation, reservedFor, devices);
    }

    /** The same, with these devices. */
    public ResourceClaim having(DeviceAllocation given) {
        return new ResourceClaim(meta, spec, Optional.of(given), reservedFor, devices);
    }

    /** The same, used by these. */
    public ResourceClaim usedBy(List<Consumer> consumers) {
        return new ResourceClaim(meta, spec, allocation, consumers, devices);
    }

    /** The same without devices, which nobody uses then. */
    public ResourceClaim freed() {
        return new ResourceClaim(meta, spec, Optional.empty(), List.of(), List.of());
    }

    public boolean isReservedFor(String uid) {
        return reservedFor.stream().anyMatch(consumer -> consumer.uid().equals(uid));
    }

    /** Whether Kubernetes would refuse this consumer as one too many. */
    public boolean isFullFor(String uid) {
        return reservedFor.size() >= MOST_CONSUMERS && !isReservedFor(uid);
    }

    /** What is wanted. */
    public record Spec(
            List<DeviceRequest> requests, List<Constraint> constraints, List<DeviceConfiguration> configurations) {

        /** All that decides which devices there can be. */
        public Spec withoutConfigurations() {
            return configurations.isEmpty() ? this : new Spec(requests, constraints, List.of());
        }
    }

    /**
     * What the devices of several requests must have in common, or must not.
     *
     * @param requests empty for all
     * @param attribute by its full name; empty where the constraint is of a kind that is not known
     * @param distinct whether they must differ in it
     */
    public record Constraint(List<String> requests, String attribute, boolean distinct) {}

    /** One that may use the claim's devices: mostly a pod. */
    public record Consumer(String apiGroup, String resource, String name, String uid) {}

    /**
     * What its driver says of an allocated device.
     *
     * @param shareId empty where the device is not shared
     */
    public record DeviceState(String driver, String pool, String device, String shareId, List<Condition> conditions) {}

    /** One of a device's conditions. */
    public record Condition(String type, String status, String reason, String message) {}
}
