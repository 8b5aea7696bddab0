package io.evenkeel.policies;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.model.policy.PolicyRule.RuleTerms;
import io.evenkeel.model.policy.PolicySpec.LeavingPods;
import io.evenkeel.model.policy.PolicySpec.NamespaceCounting;
import io.evenkeel.model.policy.PolicyStatus.RememberedDomain;
import io.evenkeel.model.value.Labels;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The policies' limits as one would say them, counted anew from all pods for each node that is asked about. */
record NaivePolicies(
        Collection<Node> nodes,
        Collection<Pod> pods,
        Collection<PolicyObject> policies,
        Map<String, Labels> namespaces,
        Pod incoming) {

    /** "fits", or what is broken first. */
    String verdict(Node node) {
        return governing()
                .flatMap(policy -> policy.spec().rules().stream()
                        .filter(PolicyRule::isHard)
                        .flatMap(rule -> broken(policy, rule, node)
                                .map(limit -> policy.meta().name() + ": " + limit)))
                .findFirst()
                .orElse("fits");
    }

    /** What is said of the incoming pod once it is on the node; nothing where it would have been placed there by strict rules, too. */
    List<String> remarks(Node node) {
        String said = governing()
                .flatMap(policy -> policy.spec().rules().stream()
                        .filter(rule -> rule.isHard()
                                && rule.maxSkew().isPresent()
                                && rule.terms().relaxAfterSeconds().isPresent())
                        .flatMap(rule -> remark(policy, rule, node).stream()))
                .collect(Collectors.joining("; "));
        return said.isEmpty() ? List.of() : List.of(said.length() < 1_024 ? said : said.substring(0, 1_023) + "…");
    }

    private Optional<String> remark(PolicyObject policy, PolicyRule rule, Node node) {
        Map<String, Integer> there = count(policy, rule, _ -> true);
        Map<String, Integer> open = count(policy, rule, this::isOpen);
        int skew = rule.maxSkew().orElse(1);
        int after = open.getOrDefault(valueOf(rule, node), 0) + 1;
        int fewest = fewest(policy, strictly(rule), there, open, used(there), isFull(rule, there));
        Set<String> counted =
                known(policy, rule, there).filter(known -> mayUse(rule, known)).collect(Collectors.toSet());
        counted.addAll(open.keySet());
        String ignored = policy.status().relaxed().stream()
                .filter(one -> one.topologyKey().equals(rule.topologyKey())
                        && counted.contains(one.domain())
                        && there.getOrDefault(one.domain(), 0) < after - skew)
                .map(one -> one.domain() + " (" + one.reason() + " since " + one.since() + ")")
                .collect(Collectors.joining(", "));
        return ignored.isEmpty() || after - fewest <= skew
                ? Optional.empty()
                : Optional.of(policy.kindName() + " " + policy.meta().name() + ": placed beyond maxSkew " + skew
                        + " over " + rule.topologyKey() + ", without waiting for " + ignored);
    }

    private boolean mayUse(PolicyRule rule, String domain) {
        return incoming.spec()
                .nodeSelector()
                .getOrDefault(rule.topologyKey(), domain)
                .equals(domain);
    }

    /** The scores that soft rules and relaxed ones give: a point less for each better kind of nodes; none where there is no such rule. */
    Map<String, Integer> scores(Collection<Node> feasible) {
        if (governing().allMatch(policy -> preferences(policy).findAny().isEmpty())) {
            return Map.of();
        }
        Map<String, List<Integer>> beyond = feasible.stream().collect(Collectors.toMap(Node::name, this::beyond));
        List<List<Integer>> kinds = beyond.values().stream()
                .distinct()
                .sorted(NaivePolicies::inOrder)
                .toList();
        return feasible.stream()
                .map(Node::name)
                .collect(Collectors.toMap(
                        name -> name, name -> Math.max(0, 100 - kinds.indexOf(beyond.getOrDefault(name, List.of())))));
    }

    private static int inOrder(List<Integer> one, List<Integer> other) {
        return IntStream.range(0, one.size())
                .map(i -> Integer.compare(one.get(i), other.get(i)))
                .filter(comparison -> comparison != 0)
                .findFirst()
                .orElse(0);
    }

    /** By rule, how far a pod more on the node would be beyond its skew. */
    private List<Integer> beyond(Node node) {
        return governing()
                .flatMap(policy -> preferences(policy).map(rule -> {
                    Map<String, Integer> there = count(policy, rule, _ -> true);
                    Map<String, Integer> open = count(policy, rule, this::isOpen);
                    int fewest = fewest(policy, strictly(rule), there, open, used(there), isFull(rule, there));
                    return node.labels().has(rule.topologyKey())
                            ? Math.max(
                                    0,
                                    open.getOrDefault(valueOf(rule, node), 0)
                                            + 1
                                            - fewest
                                            - rule.maxSkew().orElse(1))
                            : Integer.MAX_VALUE;
                }))
                .toList();
    }

    /** The relaxed ones first. */
    private static Stream<PolicyRule> preferences(PolicyObject policy) {
        return Stream.concat(
                policy.spec().rules().stream()
                        .filter(PolicyRule::isHard)
                        .filter(rule -> rule.terms().relaxAfterSeconds().isPresent()
                                && policy.status().relaxed().stream()
                                        .anyMatch(
                                                relaxed -> relaxed.topologyKey().equals(rule.topologyKey()))),
                policy.spec().rules().stream().filter(rule -> !rule.isHard()));
    }

    private static PolicyRule strictly(PolicyRule rule) {
        RuleTerms terms = rule.terms();
        return rule.on(new RuleTerms(
                terms.whenUnsatisfiable(),
                terms.matchLabelKeys(),
                terms.knownDomains(),
                OptionalInt.empty(),
                terms.rememberDomainsSeconds()));
    }

    private static Set<String> used(Map<String, Integer> there) {
        return there.keySet().stream()
                .filter(value -> there.getOrDefault(value, 0) > 0)
                .collect(Collectors.toSet());
    }

    private static boolean isFull(PolicyRule rule, Map<String, Integer> there) {
        return rule.maxDomains().isPresent()
                && used(there).size() >= rule.maxDomains().getAsInt();
    }

    private Stream<PolicyObject> governing() {
        return policies.stream()
                .filter(policy -> isAbout(policy, incoming))
                .sorted(Comparator.comparing((PolicyObject policy) -> policy instanceof ClusterPlacementPolicy)
                        .thenComparing(policy -> policy.meta().name()));
    }

    private boolean isAbout(PolicyObject policy, Pod pod) {
        return policy instanceof PlacementPolicy
                ? policy.meta().namespace().equals(pod.namespace())
                        && policy.spec().selector().matches(pod.labels())
                : counts(policy, pod);
    }

    private boolean counts(PolicyObject policy, Pod pod) {
        boolean own =
                policy instanceof PlacementPolicy && policy.meta().namespace().equals(pod.namespace());
        Labels labels = namespaces.get(pod.namespace());
        boolean selected = policy.spec().namespaceSelector().matchesEverything()
                || (labels != null && policy.spec().namespaceSelector().matches(labels));
        return (own || selected) && policy.spec().selector().matches(pod.labels());
    }

    private Stream<String> broken(PolicyObject policy, PolicyRule rule, Node node) {
        if (!node.labels().has(rule.topologyKey())) {
            return Stream.of("label");
        }
        Map<String, Integer> there = count(policy, rule, _ -> true);
        Map<String, Integer> open = count(policy, rule, this::isOpen);
        String domain = valueOf(rule, node);
        int here = there.getOrDefault(domain, 0);
        int all = there.values().stream().mapToInt(count -> count).sum();
        Set<String> used = used(there);
        Set<String> missing = new HashSet<>(rule.mustUse());
        missing.removeAll(used);
        double percent = Math.ceil((all + 1) * rule.maxPercent().orElse(100) / 100.0);
        boolean full = isFull(rule, there);
        boolean reserved = rule.maxDomains().isPresent()
                && used.size() + missing.size() >= rule.maxDomains().getAsInt();
        boolean percentIsTighter = rule.maxPercent().isPresent()
                && (rule.maxPods().isEmpty() || percent < rule.maxPods().getAsInt());
        if (rule.maxPods().isPresent()
                && !percentIsTighter
                && here + 1 > rule.maxPods().getAsInt()) {
            return Stream.of("maxPods");
        }
        if (percentIsTighter && here + 1 > percent) {
            return Stream.of("maxPercent");
        }
        if (full && here == 0) {
            return Stream.of("maxDomains");
        }
        if (!missing.isEmpty() && (reserved ? !missing.contains(domain) : here > 0)) {
            return Stream.of("mustUse");
        }
        if (!rule.weights().isEmpty() && !turns(rule, there).contains(domain)) {
            return Stream.of("weights");
        }
        int fewest = fewest(policy, rule, there, open, used, full);
        return rule.maxSkew().isPresent()
                        && open.getOrDefault(domain, 0) + 1 - fewest
                                > rule.maxSkew().getAsInt()
                ? Stream.of("maxSkew")
                : Stream.of();
    }

    private int fewest(
            PolicyObject policy,
            PolicyRule rule,
            Map<String, Integer> there,
            Map<String, Integer> open,
            Set<String> used,
            boolean full) {
        Map<String, Integer> awaited = new TreeMap<>(open);
        if (!full) {
            known(policy, rule, there)
                    .filter(known -> mayUse(rule, known))
                    .forEach(known -> awaited.putIfAbsent(known, there.getOrDefault(known, 0)));
        }
        int fullest = open.values().stream().mapToInt(count -> count).max().orElse(0);
        if (rule.terms().relaxAfterSeconds().isPresent()) {
            policy.status().relaxed().stream()
                    .filter(relaxed -> relaxed.topologyKey().equals(rule.topologyKey()))
                    .forEach(relaxed -> awaited.remove(relaxed.domain()));
        }
        if (full && awaited.values().stream().anyMatch(count -> count == 0)) {
            awaited.keySet().retainAll(used);
        }
        return awaited.values().stream().mapToInt(count -> count).min().orElse(fullest);
    }

    private Stream<String> known(PolicyObject policy, PolicyRule rule, Map<String, Integer> there) {
        Stream<String> remembered = policy.status().remembered().stream()
                .filter(one -> rule.terms().rememberDomainsSeconds().isPresent()
                        && one.topologyKey().equals(rule.topologyKey()))
                .filter(one -> one.isGone()
                        || there.getOrDefault(one.domain(), 0) > 0
                        || nodes.stream().noneMatch(node -> one.domain().equals(valueOf(rule, node))))
                .map(RememberedDomain::domain);
        return Stream.concat(rule.terms().knownDomains().stream(), remembered);
    }

    /** The pods that count, by domain; domains without any are there too. */
    private Map<String, Integer> count(PolicyObject policy, PolicyRule rule, Predicate<Node> some) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Node node : nodes) {
            boolean isCounted =
                    policy.spec().leavingPods() == LeavingPods.COUNT || (!node.unschedulable() && isStaying(node));
            if (node.labels().has(rule.topologyKey()) && some.test(node) && isCounted) {
                int onNode = (int) pods.stream()
                        .filter(pod -> pod.spec().nodeName().equals(node.name())
                                && !pod.meta().terminating()
                                && (policy.spec().leavingPods() == LeavingPods.COUNT
                                        || pod.status().disruptionTarget().isEmpty())
                                && isAlike(policy, rule, pod)
                                && counts(policy, pod))
                        .count();
                counts.merge(valueOf(rule, node), onNode, Integer::sum);
            }
        }
        return counts;
    }

    private boolean isAlike(PolicyObject policy, PolicyRule rule, Pod pod) {
        boolean separate = policy.spec().countNamespaces() == NamespaceCounting.SEPARATELY;
        if (separate && !pod.namespace().equals(incoming.namespace())) {
            return false;
        }
        return rule.terms().matchLabelKeys().stream()
                .filter(incoming.labels()::has)
                .allMatch(key -> pod.labels().has(key)
                        && pod.labels()
                                .getOrDefault(key, "")
                                .equals(incoming.labels().getOrDefault(key, "")));
    }

    private boolean isOpen(Node node) {
        Labels wanted = incoming.spec().nodeSelector();
        return node.labels().hasAll(wanted) && isTolerated(node);
    }

    private static boolean isStaying(Node node) {
        return node.taints().stream().noneMatch(taint -> taint.key().contains("disrupted"));
    }

    private boolean isTolerated(Node node) {
        return node.taints().isEmpty()
                || incoming.spec().tolerations().stream()
                        .anyMatch(toleration -> node.taints().stream().allMatch(toleration::tolerates));
    }

    private static String valueOf(PolicyRule rule, Node node) {
        return node.labels().getOrDefault(rule.topologyKey(), "");
    }

    private static Set<String> turns(PolicyRule rule, Map<String, Integer> there) {
        double sum = rule.weights().stream().mapToInt(DomainWeight::weight).sum();
        int next = 1
                + rule.weights().stream()
                        .mapToInt(part -> there.getOrDefault(part.domain(), 0))
                        .sum();
        List<DomainWeight> eligible = rule.weights().stream()
                .filter(part -> there.getOrDefault(part.domain(), 0) < next * part.weight() / sum - 1e-9)
                .toList();
        double best = eligible.stream()
                .mapToDouble(part -> part.weight() / (there.getOrDefault(part.domain(), 0) + 1.0))
                .max()
                .orElse(0);
        return eligible.stream()
                .filter(part -> part.weight() / (there.getOrDefault(part.domain(), 0) + 1.0) > best - 1e-9)
                .map(DomainWeight::domain)
                .collect(Collectors.toSet());
    }
}
