package io.evenkeel.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a pod's status. */
final class PodStatusReader {
    private PodStatusReader() {}

    static PodStatus read(JsonCursor in) {
        String phase = "";
        String nominatedNodeName = "";
        List<ContainerStatus> containers = List.of();
        List<ContainerStatus> initContainers = List.of();
        boolean resizeInfeasible = false;
        Map<String, Quantity> allocated = Map.of();
        Optional<Map<String, Quantity>> actual = Optional.empty();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "phase" -> phase = in.sharedString();
                case "nominatedNodeName" -> nominatedNodeName = in.sharedString();
                case "containerStatuses" -> containers = in.list(PodStatusReader::readContainer);
                case "initContainerStatuses" -> initContainers = in.list(PodStatusReader::readContainer);
                case "conditions" ->
                    resizeInfeasible =
                            in.list(PodStatusReader::readIsResizeInfeasible).contains(true);
                case "allocatedResources" -> allocated = in.resources();
                case "resources" -> actual = Optional.of(ResourcesReader.readRequests(in));
                default -> in.skip();
            }
        }
        return new PodStatus(
                phase.isEmpty() ? PodStatus.PENDING.phase() : phase,
                nominatedNodeName,
                together(containers, initContainers),
                resizeInfeasible,
                allocated,
                actual);
    }

    private static List<ContainerStatus> together(List<ContainerStatus> containers, List<ContainerStatus> more) {
        if (more.isEmpty()) {
            return containers;
        }
        List<ContainerStatus> all = new ArrayList<>(containers);
        all.addAll(more);
        return List.copyOf(all);
    }

    private static ContainerStatus readContainer(JsonCursor in) {
        String name = "";
        Map<String, Quantity> allocated = Map.of();
        Optional<Map<String, Quantity>> actual = Optional.empty();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "name" -> name = in.sharedString();
                case "allocatedResources" -> allocated = in.resources();
                case "resources" -> actual = Optional.of(ResourcesReader.readRequests(in));
                default -> in.skip();
            }
        }
        return new ContainerStatus(name, allocated, actual);
    }

    private static boolean readIsResizeInfeasible(JsonCursor in) {
        String type = "";
        String reason = "";
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "type" -> type = in.sharedString();
                case "reason" -> reason = in.sharedString();
                default -> in.skip();
            }
        }
        return type.equals("PodResizePending") && reason.equals("Infeasible");
    }
}
