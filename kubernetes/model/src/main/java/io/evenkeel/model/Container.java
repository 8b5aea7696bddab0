package io.evenkeel.model;

import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;

/**
 * A container or init container.
 *
 * @param sidecar whether it is an init container with {@code restartPolicy: Always}
 * @param restartsAllContainers whether one of its {@code restartPolicyRules} restarts all containers of the pod
 * @since 0.1
 */
public record Container(
        String name,
        String image,
        Map<String, Quantity> requests,
        Map<String, Quantity> limits,
        List<HostPort> hostPorts,
        boolean sidecar,
        boolean restartsAllContainers) {

    public Container asking(Map<String, Quantity> newRequests, Map<String, Quantity> newLimits) {
        return new Container(
                name, image, Map.copyOf(newRequests), Map.copyOf(newLimits), hostPorts, sidecar, restartsAllContainers);
    }
}
