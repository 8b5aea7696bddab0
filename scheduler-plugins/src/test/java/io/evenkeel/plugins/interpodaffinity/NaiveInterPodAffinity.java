package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.api.Status;
import io.evenkeel.config.PluginArgs.InterPodAffinityArgs;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.WeightedPodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The rules as they are written down: walks all pods for every question and remembers nothing. */
final class NaiveInterPodAffinity {
    private record Pair(String key, String value) {}

    private final InterPodAffinityArgs args;
    final SortedMap<String, Node> nodes = new TreeMap<>();
    final SortedMap<String, Pod> placed = new TreeMap<>();
    final SortedMap<String, Labels> namespaces = new TreeMap<>();

    NaiveInterPodAffinity(InterPodAffinityArgs args) {
        this.args = args;
    }

    SortedMap<String, Status> verdicts(Pod pod) {
        SortedMap<String, Status> verdicts = new TreeMap<>();
        nodes.values().forEach(node -> verdicts.put(node.name(), verdict(pod, node)));
        return verdicts;
    }

    SortedMap<String, Integer> scores(Pod pod, Set<String> feasible) {
        Map<Pair, Long> weights = weights(pod);
        Map<String, Long> raw = new HashMap<>();
        for (String name : feasible) {
            long sum = 0;
            for (Map.Entry<String, String> label : labels(name).asMap().entrySet()) {
                sum += weights.getOrDefault(new Pair(label.getKey(), label.getValue()), 0L);
            }
            raw.put(name, sum);
        }
        long min = raw.values().stream().mapToLong(Long::longValue).min().orElse(0);
        long max = raw.values().stream().mapToLong(Long::longValue).max().orElse(0);
        SortedMap<String, Integer> scores = new TreeMap<>();
        raw.forEach((name, weight) ->
                scores.put(name, max == min ? 0 : (int) (100.0 * ((double) (weight - min) / (double) (max - min)))));
        return scores;
    }

    private Status verdict(Pod pod, Node node) {
        if (!meetsAffinity(pod, node)) {
            return Status.unresolvable("node(s) didn't match pod affinity rules");
        }
        for (PodAffinityTerm term : pod.spec().podAffinity().requiredAntiAffinity()) {
            for (Pod other : placed.values()) {
                if (ownTermMatches(term, pod, other) && shareDomain(term.topologyKey(), other, node)) {
                    return Status.unschedulable("node(s) didn't match pod anti-affinity rules");
                }
            }
        }
        for (Pod other : placed.values()) {
            for (PodAffinityTerm term : other.spec().podAffinity().requiredAntiAffinity()) {
                if (carriedTermMatches(term, other, pod) && shareDomain(term.topologyKey(), other, node)) {
                    return Status.unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");
                }
            }
        }
        return Status.SUCCESS;
    }

    private boolean meetsAffinity(Pod pod, Node node) {
        List<PodAffinityTerm> terms = pod.spec().podAffinity().requiredAffinity();
        if (terms.isEmpty()) {
            return true;
        }
        Set<Pair> occupied = new HashSet<>();
        for (Pod other : placed.values()) {
            if (terms.stream().allMatch(term -> ownTermMatches(term, pod, other))) {
                for (PodAffinityTerm term : terms) {
                    if (labels(other.spec().nodeName()).has(term.topologyKey())) {
                        occupied.add(pairOf(term.topologyKey(), other.spec().nodeName()));
                    }
                }
            }
        }
        if (!terms.stream().allMatch(term -> node.labels().has(term.topologyKey()))) {
            return false;
        }
        boolean isFirst = occupied.isEmpty() && terms.stream().allMatch(term -> ownTermMatches(term, pod, pod));
        return isFirst || terms.stream().allMatch(term -> occupied.contains(pairOf(term.topologyKey(), node.name())));
    }

    private Map<Pair, Long> weights(Pod pod) {
        Map<Pair, Long> weights = new HashMap<>();
        List<WeightedPodAffinityTerm> own = preferences(pod);
        if (args.ignorePreferredTermsOfExistingPods() && own.isEmpty()) {
            return weights;
        }
        for (Pod other : placed.values()) {
            for (WeightedPodAffinityTerm preferred : own) {
                if (ownTermMatches(preferred.term(), pod, other)) {
                    add(weights, preferred.term().topologyKey(), other, preferred.weight());
                }
            }
            for (WeightedPodAffinityTerm preferred : preferences(other)) {
                if (carriedTermMatches(preferred.term(), other, pod)) {
                    add(weights, preferred.term().topologyKey(), other, preferred.weight());
                }
            }
            for (PodAffinityTerm term : other.spec().podAffinity().requiredAffinity()) {
                if (carriedTermMatches(term, other, pod)) {
                    add(weights, term.topologyKey(), other, args.hardPodAffinityWeight());
                }
            }
        }
        return weights;
    }

    private void add(Map<Pair, Long> weights, String key, Pod other, long weight) {
        if (labels(other.spec().nodeName()).has(key)) {
            weights.merge(pairOf(key, other.spec().nodeName()), weight, Long::sum);
        }
    }

    private static List<WeightedPodAffinityTerm> preferences(Pod pod) {
        List<WeightedPodAffinityTerm> all =
                new ArrayList<>(pod.spec().podAffinity().preferredAffinity());
        pod.spec()
                .podAffinity()
                .preferredAntiAffinity()
                .forEach(against -> all.add(new WeightedPodAffinityTerm(-against.weight(), against.term())));
        return all;
    }

    /**
     * The namespaces of a term of a pod to be placed are names: those listed and those found by label now. The selector is
     * asked again, without any labels, unless it is to be exact.
     */
    private boolean ownTermMatches(PodAffinityTerm term, Pod owner, Pod other) {
        Set<String> names = namesOf(term, owner);
        namespaces.forEach((name, labels) -> {
            if (term.namespaceSelector().matches(labels)) {
                names.add(name);
            }
        });
        boolean everywhere = args.exactNamespaceSelectors()
                ? term.namespaceSelector().equals(LabelSelector.EVERYTHING)
                : term.namespaceSelector().matches(Labels.EMPTY);
        return (everywhere || names.contains(other.namespace()))
                && term.labelSelector().matches(other.labels());
    }

    /** A term of a pod in place reads the labels of the newcomer's namespace, none where it is unknown. */
    private boolean carriedTermMatches(PodAffinityTerm term, Pod carrier, Pod newcomer) {
        Labels labels = namespaces.getOrDefault(newcomer.namespace(), Labels.EMPTY);
        return (namesOf(term, carrier).contains(newcomer.namespace())
                        || term.namespaceSelector().matches(labels))
                && term.labelSelector().matches(newcomer.labels());
    }

    private static Set<String> namesOf(PodAffinityTerm term, Pod owner) {
        return term.namespaces().isEmpty() && term.namespaceSelector().equals(LabelSelector.NOTHING)
                ? new HashSet<>(Set.of(owner.namespace()))
                : new HashSet<>(term.namespaces());
    }

    private boolean shareDomain(String key, Pod other, Node node) {
        return node.labels().has(key)
                && labels(other.spec().nodeName()).has(key)
                && pairOf(key, other.spec().nodeName()).equals(pairOf(key, node.name()));
    }

    private Pair pairOf(String key, String node) {
        return new Pair(key, labels(node).getOrDefault(key, ""));
    }

    /** None where the node is not there: its pods are not seen either. */
    private Labels labels(String node) {
        return nodes.containsKey(node) ? nodes.get(node).labels() : Labels.EMPTY;
    }
}
