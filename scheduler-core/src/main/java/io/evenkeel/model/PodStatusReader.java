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
        List<PodCondition> conditions = List.of();
        Map<String, Quantity> allocated = Map.of();
        Optional<Map<String, Quantity>> actual = Optional.empty();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "phase" -> phase = in.sharedString();
                case "nominatedNodeName" -> nominatedNodeName = in.sharedString();
                case "containerStatuses" -> containers = in.list(PodStatusReader::readContainer);
                case "initContainerStatuses" -> initContainers = in.list(PodStatusReader::readContainer);
                case "conditions" -> conditions = in.list(PodStatusReader::readCondition);
                case "allocatedResources" -> allocated = in.resources();
                case "resources" -> actual = Optional.of(ResourcesReader.readRequests(in));
                default -> in.skip();
            }
        }
        return new PodStatus(
                phase.isEmpty() ? PodStatus.PENDING.phase() : phase,
                nominatedNodeName,
                together(containers, initContainers),
                conditions.stream().anyMatch(PodStatusReader::saysResizeInfeasible),
                allocated,
                actual,
                conditions.stream().filter(PodStatusReader::saysScheduled).findFirst());
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

    private static PodCondition readCondition(JsonCursor in) {
        String type = "";
        String status = "";
        String reason = "";
        String message = "";
        String lastTransitionTime = "";
        long observedGeneration = 0;
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "type" -> type = in.sharedString();
                case "status" -> status = in.sharedString();
                case "reason" -> reason = in.sharedString();
                case "message" -> message = in.string();
                case "lastTransitionTime" -> lastTransitionTime = in.string();
                case "observedGeneration" -> observedGeneration = in.longInteger();
                default -> in.skip();
            }
        }
        return new PodCondition(type, status, reason, message, lastTransitionTime, observedGeneration);
    }

    private static boolean saysResizeInfeasible(PodCondition condition) {
        return condition.type().equals("PodResizePending") && condition.reason().equals("Infeasible");
    }

    private static boolean saysScheduled(PodCondition condition) {
        return condition.type().equals(PodCondition.POD_SCHEDULED);
    }
}
