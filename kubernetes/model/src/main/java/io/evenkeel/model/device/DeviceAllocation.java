package io.evenkeel.model.device;

import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The devices that a claim has.
 *
 * @param nodes where they can be used; empty for everywhere
 * @param timestamp when they were allocated, as RFC 3339 has it; empty where it is not said
 */
public record DeviceAllocation(
        List<Result> results, List<Configuration> configurations, Optional<NodeSelector> nodes, String timestamp) {

    /**
     * A device for a request.
     *
     * @param request or {@code request/alternative}
     * @param admin whether for administration: the device is no less free for others
     * @param shareId which share of a shared device; empty for the whole
     * @param consumed how much of a shared device
     */
    public record Result(
            String request,
            String driver,
            String pool,
            String device,
            boolean admin,
            List<DeviceToleration> tolerations,
            List<String> bindingConditions,
            List<String> bindingFailureConditions,
            String shareId,
            Map<String, Quantity> consumed) {}

    /** Parameters for a driver, and where they come from. */
    public record Configuration(boolean fromClass, DeviceConfiguration configuration) {}
}
