package io.evenkeel.plugins.devices;

import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceAllocation.Configuration;
import io.evenkeel.model.device.DeviceAllocation.Result;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceConfiguration;
import io.evenkeel.model.device.DeviceNodes;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.plugins.devices.Plan.Features;
import io.evenkeel.plugins.devices.Plan.Option;
import io.evenkeel.plugins.devices.Search.Failure;
import io.evenkeel.plugins.devices.Search.Taken;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What a claim's status says of the devices that were found: the devices, their parameters, and where they can be used. */
final class Allocations {
    private Allocations() {}

    /**
     * The allocation.
     *
     * @param chosen for each request the alternative
     * @throws Failure where it cannot be said where the devices can be used
     */
    static DeviceAllocation of(
            ResourceClaim claim, List<Taken> taken, List<Option> chosen, String node, Features features) {
        List<Result> results = new ArrayList<>();
        for (Taken each : taken) {
            results.add(new Result(
                    each.option().fullName(),
                    each.unit().holding.id.driver(),
                    each.unit().holding.id.pool(),
                    each.unit().holding.id.device(),
                    each.option().wanted().admin(),
                    each.option().wanted().tolerations(),
                    features.bindingConditions() ? each.unit().device.bindingConditions() : List.of(),
                    features.bindingConditions() ? each.unit().device.bindingFailureConditions() : List.of(),
                    each.shared() ? shareId(claim, results.size()) : "",
                    each.consumed()));
        }
        List<Configuration> configurations = new ArrayList<>(ofClasses(chosen));
        for (DeviceConfiguration each : claim.spec().configurations()) {
            long times = each.requests().isEmpty()
                    ? 1
                    : chosen.stream()
                            .filter(option -> option.isIn(each.requests()))
                            .count();
            for (long i = 0; i < (features.repairs().configurationOnce() ? Math.min(1, times) : times); i++) {
                configurations.add(new Configuration(false, each));
            }
        }
        if (features.repairs().configurationOfAll()) {
            configurations.replaceAll(each -> isOfAll(each.configuration(), chosen) ? ofAll(each) : each);
        }
        return new DeviceAllocation(results, configurations, nodes(claim, taken, node), "");
    }

    private static boolean isOfAll(DeviceConfiguration configuration, List<Option> chosen) {
        return chosen.stream().allMatch(option -> option.isIn(configuration.requests()));
    }

    private static Configuration ofAll(Configuration one) {
        DeviceConfiguration each = one.configuration();
        return new Configuration(one.fromClass(), new DeviceConfiguration(List.of(), each.driver(), each.parameters()));
    }

    /** The same each time that the claim is decided with the same state, so that a replay is exact. */
    private static String shareId(ResourceClaim claim, int result) {
        String name = claim.meta().uid() + "/" + claim.key() + "/" + result;
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** The parameters of each class, once, for all requests that have it. */
    private static List<Configuration> ofClasses(List<Option> chosen) {
        Map<String, List<String>> requests = new LinkedHashMap<>();
        Map<String, DeviceClass> classes = new LinkedHashMap<>();
        for (Option option : chosen) {
            option.deviceClass().ifPresent(each -> {
                classes.put(each.name(), each);
                requests.computeIfAbsent(each.name(), _ -> new ArrayList<>()).add(option.fullName());
            });
        }
        List<Configuration> configurations = new ArrayList<>();
        classes.forEach((name, deviceClass) -> {
            for (DeviceConfiguration each : deviceClass.configurations()) {
                configurations.add(new Configuration(
                        true,
                        new DeviceConfiguration(
                                List.copyOf(requests.getOrDefault(name, List.of())),
                                each.driver(),
                                each.parameters())));
            }
        });
        return configurations;
    }

    private static Optional<NodeSelector> nodes(ResourceClaim claim, List<Taken> taken, String node) {
        List<NodeSelectorRequirement> fields = new ArrayList<>();
        List<NodeSelectorRequirement> labels = new ArrayList<>();
        for (Taken each : taken) {
            DeviceNodes where = each.unit().nodes();
            if (!where.name().isEmpty() || each.unit().device.bindsToNode()) {
                NodeSelectorRequirement only =
                        new NodeSelectorRequirement(NodeSelectorTerm.NAME_FIELD, Operator.IN, List.of(node));
                return Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(List.of(), List.of(only)))));
            }
            List<NodeSelectorTerm> terms =
                    where.selector().map(NodeSelector::terms).orElse(List.of());
            if (terms.size() > 1) {
                throw new Failure(
                        "create NodeSelector for claim " + claim.meta().name()
                                + ": unsupported ResourceSlice.NodeSelector with " + terms.size() + " terms");
            }
            for (NodeSelectorTerm term : terms) {
                term.matchFields().forEach(field -> addNew(field, fields));
                term.matchExpressions().forEach(label -> addNew(label, labels));
            }
        }
        return fields.isEmpty() && labels.isEmpty()
                ? Optional.empty()
                : Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(labels, fields))));
    }

    private static void addNew(NodeSelectorRequirement requirement, List<NodeSelectorRequirement> to) {
        boolean known = to.stream()
                .anyMatch(other -> other.key().equals(requirement.key())
                        && other.operator() == requirement.operator()
                        && Set.copyOf(other.values()).equals(Set.copyOf(requirement.values())));
        if (!known) {
            to.add(requirement);
        }
    }
}
