package io.evenkeel.model.device;

import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;

/**
 * A request of a claim: exactly one thing, or the first of several alternatives that can be had.
 *
 * @param alternatives in the order of preference; one without a name for an exact request; none where the request is of a
 *     kind that is not known
 * @param prioritized whether they stood under {@code firstAvailable}
 */
public record DeviceRequest(String name, List<Wanted> alternatives, boolean prioritized) {

    /** Kubernetes takes no more alternatives than these for a request. */
    public static final int MOST_ALTERNATIVES = 8;

    /**
     * Devices that are wanted.
     *
     * @param name of an alternative; empty for an exact request
     * @param selectors which a device must all match; CEL expressions, or empty for one of a kind that is not known
     * @param mode ExactCount or All
     * @param admin whether for administration: beside whoever has the device
     * @param capacity how much of a shared device
     */
    public record Wanted(
            String name,
            String deviceClass,
            List<String> selectors,
            String mode,
            long count,
            boolean admin,
            List<DeviceToleration> tolerations,
            Map<String, Quantity> capacity) {

        public Wanted named(String other) {
            return new Wanted(other, deviceClass, selectors, mode, count, admin, tolerations, capacity);
        }

        public Wanted ofClass(String other) {
            return new Wanted(name, other, selectors, mode, count, admin, tolerations, capacity);
        }

        public Wanted selecting(List<String> others) {
            return new Wanted(name, deviceClass, others, mode, count, admin, tolerations, capacity);
        }

        public Wanted counting(long other) {
            return new Wanted(name, deviceClass, selectors, mode, other, admin, tolerations, capacity);
        }

        public Wanted tolerating(List<DeviceToleration> others) {
            return new Wanted(name, deviceClass, selectors, mode, count, admin, others, capacity);
        }
    }
}
