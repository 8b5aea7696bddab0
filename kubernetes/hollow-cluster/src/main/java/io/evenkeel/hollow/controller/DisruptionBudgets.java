package io.evenkeel.hollow.controller;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.LabelSelector;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Counts the healthy pods of PodDisruptionBudgets and says how many more may be evicted. */
record DisruptionBudgets(Registry registry) implements Controller {
    private static final List<ResourceType> SCALED = List.of(ResourceTable.REPLICA_SETS, ResourceTable.STATEFUL_SETS);

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        ObjectKey key = change.object().key();
        switch (key.table()) {
            case "poddisruptionbudgets" -> look.accept(key);
            case "pods", "replicasets", "statefulsets" ->
                budgets(key.namespace()).forEach(budget -> look.accept(budget.key()));
            default -> {}
        }
    }

    @Override
    public void sync(ObjectKey key) {
        registry.find(ResourceTable.DISRUPTION_BUDGETS, key).ifPresent(this::count);
    }

    private void count(StoredObject budget) {
        JsonObject spec = budget.tree().getAsJsonObject("spec");
        Optional<LabelSelector> selector = Trees.object(spec, "selector").map(LabelSelector::of);
        List<StoredObject> pods = registry.store().list("pods", budget.namespace()).objects().stream()
                .filter(pod -> selector.filter(each -> each.matches(pod.tree())).isPresent())
                .filter(pod -> !PodState.isOver(pod))
                .toList();
        Set<String> disrupted = disrupted(budget, pods);
        long healthy = pods.stream()
                .filter(PodState::isReady)
                .filter(pod -> !pod.isGoing())
                .filter(pod -> !disrupted.contains(pod.name()))
                .count();
        Need need = need(spec, pods);
        long allowed = Math.max(healthy - need.desired, 0);
        boolean enough = allowed > 0;
        StatusWriter status = new StatusWriter(budget)
                .always("disruptionsAllowed", allowed)
                .always("currentHealthy", healthy)
                .always("desiredHealthy", need.desired)
                .always("expectedPods", need.expected)
                .condition("DisruptionAllowed", enough, enough ? "SufficientPods" : "InsufficientPods", "");
        disrupted.forEach(name -> status.disrupted(name, Trees.text(budget.tree(), "status", "disruptedPods", name)));
        status.write(registry, ResourceTable.DISRUPTION_BUDGETS);
    }

    /** The pods with an eviction that was allowed but is not seen yet. */
    private static Set<String> disrupted(StoredObject budget, List<StoredObject> pods) {
        Optional<JsonObject> allowed = Trees.object(budget.tree(), "status", "disruptedPods");
        return pods.stream()
                .filter(pod -> !pod.isGoing())
                .map(pod -> pod.name())
                .filter(name -> allowed.filter(each -> each.has(name)).isPresent())
                .collect(Collectors.toUnmodifiableSet());
    }

    private record Need(long expected, long desired) {}

    private Need need(JsonObject spec, List<StoredObject> pods) {
        Optional<JsonElement> unavailable = Trees.at(spec, "maxUnavailable");
        Optional<JsonElement> available = Trees.at(spec, "minAvailable");
        if (unavailable.isPresent()) {
            long expected = expected(pods);
            long may = IntOrPercent.resolve(spec, "maxUnavailable", "0", expected, true);
            return new Need(expected, Math.max(expected - may, 0));
        }
        boolean share = available.filter(IntOrPercent::isPercent).isPresent();
        long expected = share ? expected(pods) : pods.size();
        return new Need(expected, IntOrPercent.resolve(spec, "minAvailable", "0", expected, true));
    }

    /** How many pods there shall be, by what their controllers ask for. */
    private long expected(List<StoredObject> pods) {
        Map<Owner, String> owners = pods.stream()
                .flatMap(pod -> Owner.controllerOf(pod.tree()).stream().map(owner -> Map.entry(owner, pod.namespace())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (first, _) -> first));
        return owners.entrySet().stream()
                .mapToLong(owner -> SCALED.stream()
                        .filter(type -> type.kind().equals(owner.getKey().kind()))
                        .flatMap(type -> registry
                                .find(type, owner.getValue(), owner.getKey().name())
                                .stream())
                        .mapToLong(workload -> Trees.number(workload.tree(), "spec", "replicas")
                                .orElse(1L))
                        .sum())
                .sum();
    }

    private List<StoredObject> budgets(String namespace) {
        return registry.store()
                .list(ResourceTable.DISRUPTION_BUDGETS.storage(), namespace)
                .objects();
    }
}
