package io.evenkeel.model;

import io.evenkeel.model.value.Quantity;
import java.util.Map;
import java.util.Optional;

/**
 * The resources that the kubelet has given to a container; they differ from the spec while a resize in place is under way.
 *
 * @param actualRequests {@code resources.requests} of the status; empty where the status has no {@code resources}
 */
public record ContainerStatus(
        String name, Map<String, Quantity> allocatedResources, Optional<Map<String, Quantity>> actualRequests) {}
