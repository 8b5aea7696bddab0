package io.evenkeel.model.build;

import io.evenkeel.model.Container;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.value.ResourceList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The part of a pod's builder that says what it runs and how much of what it asks for. */
abstract sealed class PodContainersBuilder<B extends PodContainersBuilder<B>> extends ObjectMetaBuilder<B>
        permits PodBuilder {
    private final List<Container> containers = new ArrayList<>();
    private final List<Container> initContainers = new ArrayList<>();
    private Map<String, Quantity> overhead = Map.of();
    private Optional<Map<String, Quantity>> podRequests = Optional.empty();
    private Map<String, Quantity> podLimits = Map.of();

    PodContainersBuilder(ObjectMeta meta) {
        super(meta);
    }

    final void containersOf(PodSpec spec) {
        containers.addAll(spec.containers());
        initContainers.addAll(spec.initContainers());
        overhead = spec.overhead();
        podRequests = spec.podRequests();
        podLimits = spec.podLimits();
    }

    final List<Container> containers() {
        return List.copyOf(containers);
    }

    final List<Container> initContainers() {
        return List.copyOf(initContainers);
    }

    final Map<String, Quantity> overhead() {
        return ResourceList.copyOf(overhead);
    }

    final Optional<Map<String, Quantity>> podRequests() {
        return podRequests.map(ResourceList::copyOf);
    }

    final Map<String, Quantity> podLimits() {
        return podLimits;
    }

    /** A container that requests the resources; alternating names and quantities, none for a best-effort container. */
    public B container(String... namesAndQuantities) {
        return container(ResourceList.of(namesAndQuantities));
    }

    public B container(Map<String, Quantity> requests) {
        return container(
                ContainerBuilder.container(nextName()).requests(requests).build());
    }

    /** Replaces all of them. */
    public B containers(List<Container> newContainers, List<Container> newInitContainers) {
        containers.clear();
        containers.addAll(newContainers);
        initContainers.clear();
        initContainers.addAll(newInitContainers);
        return self();
    }

    public B container(Container container) {
        containers.add(container);
        return self();
    }

    /** An init container that runs to its end before the containers start. */
    public B initContainer(String... namesAndQuantities) {
        return initContainer(ContainerBuilder.container("init-" + nextName())
                .requests(namesAndQuantities)
                .build());
    }

    public B initContainer(Container container) {
        initContainers.add(container);
        return self();
    }

    /** An init container that keeps running: {@code restartPolicy: Always}. */
    public B sidecar(String... namesAndQuantities) {
        return initContainer(ContainerBuilder.container("sidecar-" + nextName())
                .requests(namesAndQuantities)
                .sidecar(true)
                .build());
    }

    /** A container that claims the TCP port on every address of its node. */
    public B hostPort(int port) {
        return container(
                ContainerBuilder.container(nextName()).hostPort("TCP", port).build());
    }

    private String nextName() {
        return "c" + (containers.size() + initContainers.size());
    }

    public B overhead(Map<String, Quantity> amounts) {
        overhead = amounts;
        return self();
    }

    /** Pod-level requests; alternating names and quantities. */
    public B podRequests(String... namesAndQuantities) {
        return podRequests(ResourceList.of(namesAndQuantities));
    }

    public B podRequests(Map<String, Quantity> requests) {
        podRequests = Optional.of(requests);
        return self();
    }

    /** Pod-level limits; alternating names and quantities. */
    public B podLimits(String... namesAndQuantities) {
        podLimits = ResourceList.of(namesAndQuantities);
        return self();
    }
}
