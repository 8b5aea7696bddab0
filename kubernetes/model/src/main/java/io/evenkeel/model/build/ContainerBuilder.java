package io.evenkeel.model.build;

import io.evenkeel.model.Container;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.value.ResourceList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Builds containers and init containers. */
public final class ContainerBuilder {
    private final String name;
    private String image = "";
    private Map<String, Quantity> requests = Map.of();
    private Map<String, Quantity> limits = Map.of();
    private final List<HostPort> hostPorts = new ArrayList<>();
    private boolean sidecar;
    private boolean restartsAllContainers;

    private ContainerBuilder(String name) {
        this.name = name;
    }

    public static ContainerBuilder container(String name) {
        return new ContainerBuilder(name);
    }

    public ContainerBuilder image(String reference) {
        image = reference;
        return this;
    }

    /** Alternating resource names and quantities. */
    public ContainerBuilder requests(String... namesAndQuantities) {
        return requests(ResourceList.of(namesAndQuantities));
    }

    public ContainerBuilder requests(Map<String, Quantity> amounts) {
        requests = ResourceList.copyOf(amounts);
        return this;
    }

    /** Alternating resource names and quantities. */
    public ContainerBuilder limits(String... namesAndQuantities) {
        limits = ResourceList.of(namesAndQuantities);
        return this;
    }

    /** Claims the port on every address of the node. */
    public ContainerBuilder hostPort(String protocol, int port) {
        return hostPort(new HostPort(HostPort.EVERY_ADDRESS, protocol, port));
    }

    public ContainerBuilder hostPort(HostPort port) {
        hostPorts.add(port);
        return this;
    }

    /** True for an init container with {@code restartPolicy: Always}. */
    public ContainerBuilder sidecar(boolean isSidecar) {
        sidecar = isSidecar;
        return this;
    }

    /** True for a container with a restart rule that has the action {@code RestartAllContainers}. */
    public ContainerBuilder restartsAllContainers(boolean restarts) {
        restartsAllContainers = restarts;
        return this;
    }

    public Container build() {
        return new Container(name, image, requests, limits, List.copyOf(hostPorts), sidecar, restartsAllContainers);
    }
}
