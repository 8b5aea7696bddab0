package io.evenkeel.shard;

import io.evenkeel.api.Status;
import io.evenkeel.config.Profile;
import io.evenkeel.engine.Engine;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Diagnosis.FitError;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The nodes of other shards, by what may be in the way there of a pod that its own words keep off the whole shard: taints, whether they
 * are cordoned, and what a profile's {@code addedAffinity} goes by. A node costs an entry of a hash map.
 */
public final class OtherNodes {
    /** So many are looked at for a pod; nodes of more kinds are taken to be like the last of them. */
    private static final int MOST_KINDS = 64;

    private final int shard;
    private final ShardMap map;
    /** The labels that profiles' {@code addedAffinity} asks for. */
    private final Set<String> addedKeys;
    /** The nodes that it names. */
    private final Set<String> addedNames;

    private final Map<String, Alike> byName = new HashMap<>();
    private final Map<Kind, Alike> byKind = new LinkedHashMap<>();
    private Optional<Answer> last = Optional.empty();

    private record Kind(int shard, boolean unschedulable, List<Taint> taints, Labels labels) {}

    private static final class Alike {
        final Kind kind;
        int nodes;

        Alike(Kind kind) {
            this.kind = kind;
        }
    }

    /** What was said last, as it is asked for an event and for a condition. */
    private record Answer(ObjectMeta pod, Optional<String> said) {}

    /**
     * @param shard whose nodes are not of others
     * @param profiles by which pods are scheduled
     */
    public OtherNodes(int shard, ShardMap map, Collection<Profile> profiles) {
        this.shard = shard;
        this.map = map;
        List<NodeSelector> added =
                profiles.stream().flatMap(profile -> profile.pool().stream()).toList();
        addedKeys = added.stream()
                .flatMap(required -> required.terms().stream())
                .flatMap(term -> term.matchExpressions().stream())
                .map(NodeSelectorRequirement::key)
                .collect(Collectors.toUnmodifiableSet());
        addedNames = added.stream().flatMap(OtherNodes::namedBy).collect(Collectors.toUnmodifiableSet());
    }

    /** Something has happened: what was said last need not hold any more. */
    void hearNews() {
        last = Optional.empty();
    }

    boolean isEmpty() {
        return byName.isEmpty();
    }

    public void put(Node node) {
        Labels labels = addedKeys.isEmpty() ? Labels.EMPTY : node.labels().retain(addedKeys::contains);
        Kind now = new Kind(map.ofNode(node), node.unschedulable(), node.taints(), labels);
        Alike before = byName.get(node.name());
        if (before != null && before.kind.equals(now)) {
            return;
        }
        remove(node.name());
        if (now.shard != shard) {
            Alike alike = byKind.computeIfAbsent(now, Alike::new);
            alike.nodes++;
            byName.put(node.name(), alike);
        }
    }

    void remove(String name) {
        Alike before = byName.remove(name);
        if (before != null) {
            before.nodes--;
            if (before.nodes == 0) {
                byKind.remove(before.kind);
            }
        }
    }

    void forget(Predicate<ObjectMeta> gone) {
        byName.keySet().stream()
                .filter(name -> gone.test(ObjectMeta.named("", name)))
                .toList()
                .forEach(this::remove);
    }

    /**
     * What an engine that knew them would say of the nodes of shards that the pod's own words leave out; empty where there are none.
     *
     * @param left the shards that they leave
     */
    public Optional<String> whyNot(Pod pod, List<Integer> left, Engine engine) {
        if (last.filter(answer -> answer.pod.equals(pod.meta())).isEmpty()) {
            last = Optional.of(new Answer(pod.meta(), whyNotNow(pod, left, engine)));
        }
        return last.orElseThrow().said;
    }

    private Optional<String> whyNotNow(Pod pod, List<Integer> left, Engine engine) {
        Map<String, Integer> nodes = new HashMap<>();
        List<Node> models = new ArrayList<>();
        Map<Kind, Integer> counts = new LinkedHashMap<>();
        byKind.values().stream()
                .filter(alike -> !left.contains(alike.kind.shard))
                .forEach(alike -> counts.put(alike.kind, alike.nodes));
        Set<String> named = new LinkedHashSet<>(addedNames);
        pod.spec().nodeAffinity().required().stream()
                .flatMap(OtherNodes::namedBy)
                .forEach(named::add);
        for (String name : named) {
            Alike alike = byName.get(name);
            if (alike != null && counts.containsKey(alike.kind) && models.size() < MOST_KINDS) {
                models.add(model(alike.kind, name));
                nodes.put(name, 1);
                counts.computeIfPresent(alike.kind, (_, count) -> count == 1 ? null : count - 1);
            }
        }
        counts.forEach((kind, count) -> {
            String name = "of other shards/" + Math.min(nodes.size(), MOST_KINDS);
            if (!nodes.containsKey(name)) {
                models.add(model(kind, name));
            }
            nodes.merge(name, count, Integer::sum);
        });
        return nodes.isEmpty()
                ? Optional.empty()
                : Optional.of(engine.asIfThere(models, pod, (diagnosis, idOf) -> said(diagnosis, nodes, idOf)));
    }

    /** Of nodes that are named something else may be said than of others. */
    private static Stream<String> namedBy(NodeSelector required) {
        return required.terms().stream()
                .flatMap(term -> term.matchFields().stream())
                .filter(field -> field.key().equals(NodeSelectorTerm.NAME_FIELD))
                .flatMap(field -> field.values().stream());
    }

    private Node model(Kind kind, String name) {
        NodeBuilder model = NodeBuilder.node(name).unschedulable(kind.unschedulable);
        kind.taints.forEach(model::taint);
        kind.labels.asMap().forEach(model::label);
        map.nodeLabel().ifPresent(key -> map.valueOf(kind.shard).ifPresent(value -> model.label(key, value)));
        return model.build();
    }

    private static String said(Diagnosis diagnosis, Map<String, Integer> nodes, ToIntFunction<String> idOf) {
        String ofFilters = saidByFilters(diagnosis, nodes, idOf);
        return diagnosis.postFilterMessage().isEmpty() ? ofFilters : ofFilters + ' ' + diagnosis.postFilterMessage();
    }

    private static String saidByFilters(Diagnosis diagnosis, Map<String, Integer> nodes, ToIntFunction<String> idOf) {
        int all = nodes.values().stream().mapToInt(count -> count).sum();
        if (diagnosis.preFilter().isPresent()) {
            return FitError.begin(all)
                    + ' '
                    + diagnosis.preFilter().get().status().message()
                    + '.';
        }
        SortedMap<String, Integer> counts = new TreeMap<>();
        nodes.forEach((model, count) -> {
            int id = idOf.applyAsInt(model);
            List<String> reasons = diagnosis.excluded().contains(id)
                    ? List.of(diagnosis.excludedReason())
                    : diagnosis.statusAgainst(id).map(Status::reasons).orElse(List.of());
            reasons.forEach(reason -> counts.merge(reason, count, Integer::sum));
        });
        return FitError.message(all, counts);
    }
}
