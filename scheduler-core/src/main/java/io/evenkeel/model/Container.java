package io.evenkeel.model;

import java.util.List;
import java.util.Map;

/**
 * A container or init container.
 *
 * @param sidecar whether it is an init container with {@code restartPolicy: Always}
 */
public record Container(
        String name, String image, Map<String, Quantity> requests, List<HostPort> hostPorts, boolean sidecar) {}
