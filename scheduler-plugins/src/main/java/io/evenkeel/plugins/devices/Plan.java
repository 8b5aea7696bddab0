package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.config.Difference;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceRequest.Wanted;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.devices.Pools.Unit;
import io.evenkeel.plugins.devices.Selectors.Selector;
import io.evenkeel.plugins.devices.Selectors.Unanswered;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/** Claims with their classes and compiled selectors: the same on every node. */
record Plan(List<Wish> wishes, int options) {

    /** Reads the claims. */
    static Plan of(List<ResourceClaim> claims, ObjectStore objects, Selectors selectors, Features features) {
        int options = 0;
        List<Wish> wishes = new ArrayList<>();
        for (ResourceClaim claim : claims) {
            List<Ask> asks = new ArrayList<>();
            for (DeviceRequest request : claim.spec().requests()) {
                List<Option> alternatives = new ArrayList<>();
                for (Wanted wanted : request.alternatives()) {
                    alternatives.add(Option.of(options++, claim, request, wanted, objects, selectors));
                }
                asks.add(new Ask(request, alternatives, problem(claim, request, features)));
            }
            wishes.add(new Wish(claim, asks));
        }
        return new Plan(wishes, options);
    }

    /** Whether these very claims were read. */
    boolean isFor(List<ResourceClaim> claims) {
        for (int i = 0; i < wishes.size() && i < claims.size(); i++) {
            if (wishes.get(i).claim() != claims.get(i)) {
                return false;
            }
        }
        return wishes.size() == claims.size();
    }

    /** Whether some request is for all devices that there are. */
    boolean wantsAll() {
        return wishes.stream()
                .flatMap(wish -> wish.asks().stream())
                .flatMap(ask -> ask.options().stream())
                .anyMatch(Option::wantsAll);
    }

    /** Whether some request may have the device, as far as its class and its selectors go. */
    boolean mayHave(Unit unit, IntConsumer looks) {
        for (Wish wish : wishes) {
            for (Ask ask : wish.asks()) {
                for (Option option : ask.options()) {
                    if (mayAllMatch(option.ofClass(), unit, looks) && mayAllMatch(option.own(), unit, looks)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static boolean mayAllMatch(List<Selector> selectors, Unit unit, IntConsumer looks) {
        for (int i = 0; i < selectors.size(); i++) {
            try {
                if (!selectors.get(i).matches(unit, looks)) {
                    return false;
                }
            } catch (Unanswered _) {
                return true;
            }
        }
        return true;
    }

    private static String problem(ResourceClaim claim, DeviceRequest request, Features features) {
        if (!features.prioritizedList() && request.prioritized()) {
            return "claim " + claim.key() + ", request " + request.name()
                    + ": has subrequests, but the DRAPrioritizedList feature is disabled";
        }
        if (!features.consumableCapacity()) {
            for (Wanted wanted : request.alternatives()) {
                if (!wanted.capacity().isEmpty()) {
                    return "claim " + claim.key()
                            + (request.prioritized() ? ", subrequest " + wanted.name() : ", request " + request.name())
                            + ": has capacity requests, but the DRAConsumableCapacity feature is disabled";
                }
            }
        }
        if (request.alternatives().isEmpty()) {
            return "claim " + claim.key() + ", request " + request.name()
                    + ": missing device class name (unsupported request type?)";
        }
        return "";
    }

    /** What can be switched off, and what is mended. */
    record Features(
            boolean prioritizedList,
            boolean consumableCapacity,
            boolean partitionableDevices,
            boolean deviceTaints,
            boolean bindingConditions,
            boolean fractionalRanges,
            Repairs repairs) {

        static Features of(FeatureGates gates) {
            return new Features(
                    gates.isOn(Feature.DRA_PRIORITIZED_LIST),
                    gates.isOn(Feature.DRA_CONSUMABLE_CAPACITY),
                    gates.isOn(Feature.DRA_PARTITIONABLE_DEVICES),
                    gates.isOn(Feature.DRA_DEVICE_TAINTS),
                    gates.isOn(Feature.DRA_DEVICE_BINDING_CONDITIONS)
                            && gates.isOn(Feature.DRA_RESOURCE_CLAIM_DEVICE_STATUS),
                    gates.isOn(Feature.DRA_FRACTIONAL_CAPACITY_RANGE),
                    Repairs.of(gates));
        }
    }

    /** What the reference has mended; {@link Difference} says each. */
    record Repairs(
            boolean configurationOnce,
            boolean configurationOfAll,
            boolean countersComeBack,
            boolean sharesDrawOnce,
            boolean distinctWithinRequests,
            boolean allMeansUsedOnesToo,
            boolean countersHaveNodes,
            boolean badPoolTurnsAway,
            boolean sharedIsNotDedicated,
            boolean bareRuleTaintsNone,
            boolean capacityByFullName) {
        private static Repairs of(FeatureGates gates) {
            return new Repairs(
                    gates.has(Difference.DEVICE_CONFIGURATION_ONCE),
                    gates.has(Difference.DEVICE_CONFIGURATION_OF_ALL),
                    gates.has(Difference.COUNTERS_COME_BACK),
                    gates.has(Difference.SHARES_DRAW_ONCE),
                    gates.has(Difference.DISTINCT_WITHIN_REQUESTS),
                    gates.has(Difference.ALL_MEANS_USED_ONES_TOO),
                    gates.has(Difference.COUNTERS_HAVE_NODES),
                    gates.has(Difference.BAD_POOL_TURNS_AWAY),
                    gates.has(Difference.SHARED_IS_NOT_DEDICATED),
                    gates.has(Difference.BARE_TAINT_RULE_TAINTS_NONE),
                    gates.has(Difference.CAPACITY_BY_FULL_NAME));
        }
    }

    /** A claim. */
    record Wish(ResourceClaim claim, List<Ask> asks) {}

    /**
     * A request.
     *
     * @param problem why it cannot be read; empty where it can
     */
    record Ask(DeviceRequest request, List<Option> options, String problem) {}

    /**
     * A request, or an alternative of it.
     *
     * @param number unique among those of all claims
     * @param problem why it cannot be read; empty where it can
     */
    record Option(
            int number,
            DeviceRequest request,
            Wanted wanted,
            Optional<DeviceClass> deviceClass,
            List<Selector> ofClass,
            List<Selector> own,
            String problem) {
        private static Option of(
                int number,
                ResourceClaim claim,
                DeviceRequest request,
                Wanted wanted,
                ObjectStore objects,
                Selectors selectors) {
            Optional<DeviceClass> deviceClass = objects.find(Kinds.DEVICE_CLASS, wanted.deviceClass());
            String problem = problem(wanted, deviceClass);
            String name = request.prioritized() ? wanted.name() : request.name();
            return new Option(
                    number,
                    request,
                    wanted,
                    deviceClass,
                    deviceClass.map(DeviceClass::selectors).orElse(List.of()).stream()
                            .map(selectors::of)
                            .toList(),
                    problem.isEmpty()
                            ? wanted.selectors().stream().map(selectors::of).toList()
                            : List.of(),
                    problem.isEmpty() ? "" : "claim " + claim.key() + ", request " + name + problem);
        }

        private static String problem(Wanted wanted, Optional<DeviceClass> deviceClass) {
            int unknown = wanted.selectors().indexOf("");
            if (unknown >= 0) {
                return ", selector #" + unknown + ": CEL expression empty (unsupported selector type?)";
            }
            if (wanted.deviceClass().isEmpty()) {
                return ": missing device class name (unsupported request type?)";
            }
            if (deviceClass.isEmpty()) {
                return ": could not retrieve device class " + wanted.deviceClass() + ": deviceclass.resource.k8s.io \""
                        + wanted.deviceClass() + "\" not found";
            }
            boolean known = wanted.mode().equals("ExactCount") || wanted.mode().equals("All");
            return known ? "" : ": unsupported count mode " + wanted.mode();
        }

        boolean wantsAll() {
            return wanted.mode().equals("All");
        }

        /** As a result names it. */
        String fullName() {
            return request.prioritized() ? request.name() + "/" + wanted.name() : request.name();
        }

        /** As messages name it. */
        String shortName() {
            return request.prioritized() ? wanted.name() : request.name();
        }

        boolean isIn(List<String> requests) {
            return requests.contains(request.name()) || (request.prioritized() && requests.contains(fullName()));
        }
    }
}
