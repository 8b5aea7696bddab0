package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * ResourceQuotas: what the objects of a namespace use of them, and whether one more may come. An object that comes is added to a quota's
 * {@code status.used} and is there before anything is counted again, so that of many at once no more come than may.
 */
final class Quotas {
    private static final Set<String> COUNTED_BY_NAME = Set.of(
            "configmaps",
            "persistentvolumeclaims",
            "pods",
            "replicationcontrollers",
            "resourcequotas",
            "secrets",
            "services");
    private static final Set<String> COMPUTE = Set.of("cpu", "memory");
    private static final Set<String> NATIVE = Set.of("cpu", "memory", "ephemeral-storage");

    private final Store store;
    private final ReentrantLock counting = new ReentrantLock();

    Quotas(Store store) {
        this.store = store;
    }

    /** Creates an object that the quotas of its namespace allow, or throws the refusal that its client is told. */
    StoredObject within(
            ResourceType type, String namespace, JsonObject tree, boolean dryRun, Supplier<StoredObject> creation) {
        if (namespace.isEmpty() || quotas(namespace).isEmpty()) {
            return creation.get();
        }
        counting.lock();
        try {
            admit(type, namespace, tree, dryRun);
            return creation.get();
        } finally {
            counting.unlock();
        }
    }

    private void admit(ResourceType type, String namespace, JsonObject tree, boolean dryRun) {
        List<StoredObject> held = quotas(namespace).stream()
                .filter(quota -> Scopes.hold(quota.tree(), type, tree))
                .toList();
        // what one refuses is charged to none
        held.forEach(quota -> charge(quota, type, tree, true));
        if (!dryRun) {
            held.forEach(quota -> charge(quota, type, tree, false));
        }
    }

    private void charge(StoredObject quota, ResourceType type, JsonObject tree, boolean dryRun) {
        SortedMap<String, Quantity> hard = amounts(quota.tree(), "spec", "hard");
        SortedMap<String, Quantity> asked = usage(type, tree);
        asked.keySet().retainAll(hard.keySet());
        if (type.equals(ResourceTable.PODS)) {
            requireAmounts(quota, hard.keySet(), tree);
        }
        boolean isWritten = asked.values().stream().noneMatch(amount -> amount.signum() > 0) || dryRun;
        do {
            Optional<StoredObject> present = store.get(quota.key());
            if (present.isEmpty()) {
                return; // it has been deleted meanwhile, and limits no more
            }
            StoredObject now = present.get();
            JsonObject next = now.copy();
            SortedMap<String, Quantity> used =
                    Trees.object(next, "status", "used").isPresent()
                            ? amounts(next, "status", "used")
                            : used(next, quota.namespace());
            SortedMap<String, Quantity> sums = new TreeMap<>(used);
            asked.forEach((name, amount) -> sums.merge(name, amount, Quantity::plus));
            List<String> exceeded = hard.entrySet().stream()
                    .filter(limit ->
                            asked.getOrDefault(limit.getKey(), Quantity.ZERO).signum() > 0)
                    .filter(limit ->
                            sums.getOrDefault(limit.getKey(), Quantity.ZERO).compareTo(limit.getValue()) > 0)
                    .map(Map.Entry::getKey)
                    .toList();
            if (!exceeded.isEmpty()) {
                throw Refusals.forbidden(
                        type,
                        Trees.text(tree, "metadata", "name"),
                        "exceeded quota: %s, requested: %s, used: %s, limited: %s"
                                .formatted(
                                        quota.name(),
                                        shown(exceeded, asked),
                                        shown(exceeded, used),
                                        shown(exceeded, hard)));
            }
            if (!isWritten) {
                write(next, sums);
                isWritten = store.replace(now, next).isPresent();
            }
        } while (!isWritten);
    }

    /** @param edit writes the quota */
    void recount(ObjectKey quota, Consumer<Consumer<JsonObject>> edit) {
        counting.lock();
        try {
            edit.accept(tree -> write(tree, used(tree, quota.namespace())));
        } finally {
            counting.unlock();
        }
    }

    private static void write(JsonObject quota, SortedMap<String, Quantity> used) {
        JsonObject amounts = new JsonObject();
        used.forEach((name, amount) -> amounts.addProperty(name, amount.toString()));
        JsonObject status = Trees.ensureObject(quota, "status");
        status.add(
                "hard",
                Trees.ensureObject(Trees.ensureObject(quota, "spec"), "hard").deepCopy());
        status.add("used", amounts);
    }

    private SortedMap<String, Quantity> used(JsonObject quota, String namespace) {
        SortedMap<String, Quantity> used = new TreeMap<>();
        Set<String> names = amounts(quota, "spec", "hard").keySet();
        names.forEach(name -> used.put(name, Quantity.ZERO));
        for (ResourceType type : ResourceTable.ALL) {
            if (type.namespaced() && type.stored() && mayUse(type, names)) {
                store.list(type.storage(), namespace).objects().stream()
                        .filter(object -> Scopes.hold(quota, type, object.tree()))
                        .forEach(object -> usage(type, object.tree())
                                .forEach((name, amount) -> used.computeIfPresent(name, (_, sum) -> sum.plus(amount))));
            }
        }
        return used;
    }

    private static boolean mayUse(ResourceType type, Set<String> names) {
        return type.equals(ResourceTable.PODS)
                || type.equals(ResourceTable.PERSISTENT_VOLUME_CLAIMS)
                || type.equals(ResourceTable.RESOURCE_CLAIMS)
                || names.contains("count/" + type.groupResource())
                || names.contains(type.resource());
    }

    /** What an object uses, by the names that quotas have for it. */
    private static SortedMap<String, Quantity> usage(ResourceType type, JsonObject tree) {
        SortedMap<String, Quantity> usage = new TreeMap<>();
        if (type.equals(ResourceTable.PODS) && isOver(tree)) {
            return usage;
        }
        usage.put("count/" + type.groupResource(), Quantity.of(1));
        if (type.group().isEmpty() && COUNTED_BY_NAME.contains(type.resource())) {
            usage.put(type.resource(), Quantity.of(1));
        }
        if (type.equals(ResourceTable.PODS)) {
            JsonObject spec = Trees.ensureObject(tree, "spec");
            ofPod(spec, "requests").forEach((name, amount) -> {
                usage.put("requests." + name, amount);
                if (NATIVE.contains(name)) {
                    usage.put(name, amount);
                }
            });
            ofPod(spec, "limits").forEach((name, amount) -> usage.put("limits." + name, amount));
        } else if (type.equals(ResourceTable.PERSISTENT_VOLUME_CLAIMS)) {
            String ofClass = Trees.text(tree, "spec", "storageClassName") + ".storageclass.storage.k8s.io/";
            Quantity storage = amounts(tree, "spec", "resources", "requests").getOrDefault("storage", Quantity.ZERO);
            usage.put("requests.storage", storage);
            usage.put(ofClass + "requests.storage", storage);
            usage.put(ofClass + "persistentvolumeclaims", Quantity.of(1));
        } else if (type.equals(ResourceTable.RESOURCE_CLAIMS)) {
            Trees.objects(tree, "spec", "devices", "requests")
                    .forEach(request ->
                            ofDevices(request).forEach((name, amount) -> usage.merge(name, amount, Quantity::plus)));
        }
        return usage;
    }

    /** By class, the most devices that the request may get by any of its alternatives. */
    private static Map<String, Quantity> ofDevices(JsonObject request) {
        Map<String, Quantity> most = new TreeMap<>();
        Stream.concat(Trees.object(request, "exactly").stream(), Trees.objects(request, "firstAvailable").stream())
                .forEach(wanted -> {
                    long count = Trees.text(wanted, "allocationMode").equals("All")
                            ? ResourceClaim.MOST_DEVICES
                            : Trees.number(wanted, "count").orElse(0L);
                    most.merge(
                            Trees.text(wanted, "deviceClassName") + ".deviceclass.resource.k8s.io/devices",
                            Quantity.of(count),
                            Quotas::larger);
                });
        return most;
    }

    private static boolean isOver(JsonObject pod) {
        String phase = Trees.text(pod, "status", "phase");
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /** What a pod asks for: its containers together, or the init container that asks for more, and the overhead. */
    private static Map<String, Quantity> ofPod(JsonObject spec, String side) {
        Map<String, Quantity> sum = new TreeMap<>();
        Map<String, Quantity> most = new TreeMap<>();
        for (JsonObject init : Trees.objects(spec, "initContainers")) {
            Map<String, Quantity> own = amounts(init, "resources", side);
            if (Trees.text(init, "restartPolicy").equals("Always")) {
                own.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
            } else {
                own.forEach((name, amount) ->
                        most.merge(name, amount.plus(sum.getOrDefault(name, Quantity.ZERO)), Quotas::larger));
            }
        }
        Trees.objects(spec, "containers")
                .forEach(each -> amounts(each, "resources", side)
                        .forEach((name, amount) -> sum.merge(name, amount, Quantity::plus)));
        most.forEach((name, amount) -> sum.merge(name, amount, Quotas::larger));
        sum.putAll(amounts(spec, "resources", side));
        amounts(spec, "overhead").forEach((name, amount) -> sum.computeIfPresent(name, (_, all) -> all.plus(amount)));
        return sum;
    }

    private static Quantity larger(Quantity one, Quantity other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** Refuses a pod with containers that do not say how much they use of what is limited. */
    private static void requireAmounts(StoredObject quota, Set<String> hard, JsonObject pod) {
        SortedSet<String> missing = new TreeSet<>();
        for (String name : hard) {
            String side = name.startsWith("limits.") ? "limits" : "requests";
            String resource = name.substring(name.indexOf('.') + 1);
            if (COMPUTE.contains(resource)
                    && Trees.at(pod, "spec", "resources", side, resource).isEmpty()) {
                List<JsonObject> containers = new ArrayList<>(Trees.objects(pod, "spec", "containers"));
                containers.addAll(Trees.objects(pod, "spec", "initContainers"));
                String without = containers.stream()
                        .filter(each ->
                                Trees.at(each, "resources", side, resource).isEmpty())
                        .map(each -> Trees.text(each, "name"))
                        .sorted()
                        .collect(Collectors.joining(","));
                if (!without.isEmpty()) {
                    missing.add(name + " for: " + without);
                }
            }
        }
        if (!missing.isEmpty()) {
            throw Refusals.forbidden(
                    ResourceTable.PODS,
                    Trees.text(pod, "metadata", "name"),
                    "failed quota: %s: must specify %s".formatted(quota.name(), String.join("; ", missing)));
        }
    }

    private List<StoredObject> quotas(String namespace) {
        return store.list(ResourceTable.RESOURCE_QUOTAS.storage(), namespace).objects();
    }

    private static SortedMap<String, Quantity> amounts(JsonObject tree, String... path) {
        SortedMap<String, Quantity> amounts = new TreeMap<>();
        Trees.object(tree, path)
                .ifPresent(all -> all.entrySet()
                        .forEach(each -> amounts.put(
                                each.getKey(), Quantity.parse(each.getValue().getAsString()))));
        return amounts;
    }

    private static String shown(List<String> names, Map<String, Quantity> amounts) {
        return names.stream()
                .map(name -> name + "=" + amounts.getOrDefault(name, Quantity.ZERO))
                .collect(Collectors.joining(","));
    }

    /** Which pods a quota is about, where it is not about all objects. */
    private static final class Scopes {
        private Scopes() {}

        static boolean hold(JsonObject quota, ResourceType type, JsonObject tree) {
            List<JsonObject> expressions =
                    new ArrayList<>(Trees.objects(quota, "spec", "scopeSelector", "matchExpressions"));
            Trees.texts(quota, "spec", "scopes")
                    .forEach(scope -> expressions.add(Trees.of("scopeName", scope, "operator", "Exists")));
            return expressions.isEmpty()
                    || (type.equals(ResourceTable.PODS)
                            && expressions.stream().allMatch(expression -> holds(expression, tree)));
        }

        private static boolean holds(JsonObject expression, JsonObject pod) {
            boolean ends = Trees.number(pod, "spec", "activeDeadlineSeconds").isPresent();
            boolean bestEffort = Trees.text(pod, "status", "qosClass").equals("BestEffort");
            return switch (Trees.text(expression, "scopeName")) {
                case "Terminating" -> ends;
                case "NotTerminating" -> !ends;
                case "BestEffort" -> bestEffort;
                case "NotBestEffort" -> !bestEffort;
                case "PriorityClass" -> isOfClass(expression, Trees.text(pod, "spec", "priorityClassName"));
                default -> false;
            };
        }

        private static boolean isOfClass(JsonObject expression, String name) {
            Optional<Boolean> isIn = Optional.of(Trees.texts(expression, "values"))
                    .filter(values -> !values.isEmpty())
                    .map(values -> values.contains(name));
            return switch (Trees.text(expression, "operator")) {
                case "In" -> isIn.orElse(false);
                case "NotIn" -> !isIn.orElse(false);
                case "DoesNotExist" -> name.isEmpty();
                default -> !name.isEmpty();
            };
        }
    }
}
