package io.evenkeel.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads a pod's status. What is read of its containers is alike in all pods of a workload and so is decoded once. */
final class WirePodStatusReader {
    private static final byte[] POD_SCHEDULED = PodCondition.POD_SCHEDULED.getBytes(StandardCharsets.UTF_8);
    private static final byte[] RESIZE_PENDING = "PodResizePending".getBytes(StandardCharsets.UTF_8);
    private static final int CONDITIONS = 2;
    private static final int CONTAINERS = 8;
    private static final int INIT_CONTAINERS = 10;

    private final WireValues values;
    private final WireProjection projection = new WireProjection();
    private final BytesIntern<PodCondition> conditions = new BytesIntern<>(this::decodeCondition);
    private final BytesIntern<PodStatus> statuses = new BytesIntern<>(this::decode);

    WirePodStatusReader(WireValues values) {
        this.values = values;
    }

    PodStatus read(WireCursor in) {
        Optional<PodCondition> scheduled = Optional.empty();
        projection.clear();
        while (in.next()) {
            switch (in.field()) {
                case CONDITIONS -> {
                    if (scheduled.isEmpty() && isOfType(in.message(), POD_SCHEDULED)) {
                        scheduled = Optional.of(in.decoded(conditions));
                    } else if (isOfType(in.message(), RESIZE_PENDING)) {
                        in.copyTo(projection);
                    }
                }
                case CONTAINERS, INIT_CONTAINERS -> projectContainer(in);
                case 1, 11, 19, 20 -> in.copyTo(projection);
                default -> {}
            }
        }
        PodStatus status = projection.decoded(statuses);
        return scheduled.isEmpty() ? status : status.withScheduled(scheduled);
    }

    private static boolean isOfType(WireCursor condition, byte[] type) {
        boolean same = false;
        while (condition.next()) {
            if (condition.field() == 1) {
                same = condition.is(type);
            }
        }
        return same;
    }

    private void projectContainer(WireCursor container) {
        int begun = projection.begin(container.field());
        WireCursor in = container.message();
        while (in.next()) {
            switch (in.field()) {
                case 1, 10, 11 -> in.copyTo(projection);
                default -> {}
            }
        }
        projection.end(begun);
    }

    private PodStatus decode(WireCursor in) {
        String phase = "";
        String nominatedNodeName = "";
        List<ContainerStatus> containers = new ArrayList<>();
        List<ContainerStatus> initContainers = new ArrayList<>();
        boolean infeasible = false;
        Map<String, Quantity> allocated = new TreeMap<>();
        Optional<Map<String, Quantity>> actual = Optional.empty();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> phase = values.string(in);
                case CONDITIONS ->
                    infeasible |= decodeCondition(in.message()).reason().equals("Infeasible");
                case CONTAINERS -> containers.add(decodeContainer(in.message()));
                case INIT_CONTAINERS -> initContainers.add(decodeContainer(in.message()));
                case 11 -> nominatedNodeName = values.string(in);
                case 19 -> values.addResource(in, allocated);
                case 20 -> actual = Optional.of(values.requests(in.message()));
                default -> {}
            }
        }
        containers.addAll(initContainers);
        return new PodStatus(
                phase.isEmpty() ? PodStatus.PENDING.phase() : phase,
                nominatedNodeName,
                List.copyOf(containers),
                infeasible,
                ResourceList.copyOf(allocated),
                actual);
    }

    private ContainerStatus decodeContainer(WireCursor in) {
        String name = "";
        Map<String, Quantity> allocated = new TreeMap<>();
        Optional<Map<String, Quantity>> actual = Optional.empty();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> name = values.string(in);
                case 10 -> values.addResource(in, allocated);
                case 11 -> actual = Optional.of(values.requests(in.message()));
                default -> {}
            }
        }
        return new ContainerStatus(name, ResourceList.copyOf(allocated), actual);
    }

    private PodCondition decodeCondition(WireCursor in) {
        String type = "";
        String status = "";
        String reason = "";
        String message = "";
        String lastTransitionTime = "";
        long observedGeneration = 0;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> type = values.string(in);
                case 2 -> status = values.string(in);
                case 4 -> lastTransitionTime = values.time(in.message());
                case 5 -> reason = values.string(in);
                case 6 -> message = in.string();
                case 7 -> observedGeneration = in.int64();
                default -> {}
            }
        }
        return new PodCondition(type, status, reason, message, lastTransitionTime, observedGeneration);
    }
}
