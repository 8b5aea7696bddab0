package io.evenkeel.policies;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PolicyLimit;
import io.evenkeel.framework.why.Change.PolicyLimit.Field;
import io.evenkeel.framework.why.NodeChange.NodeLabelled;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.SelectorText;
import io.evenkeel.policies.BoundRule.RuleStatuses;
import io.evenkeel.policies.PolicyReading.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Explains a rule to a pod: its counts, limit by limit, where new nodes would have to be, and the changes that would help. */
final class PolicyAnswers {
    private static final int MOST_DOMAINS = 20;

    private final RuleBounds bounds;
    private final PolicyRule rule;
    private final DomainCounter counter;
    private final Topology topology;

    /** @param bounds as they are for the pod; to be used before they are measured again */
    private PolicyAnswers(RuleBounds bounds) {
        this.bounds = bounds;
        this.rule = bounds.bound().rule();
        this.counter = bounds.bound().counter();
        this.topology = bounds.bound().topology();
    }

    static List<Account> accounts(BoundRule rule, PodInfo pod) {
        return new PolicyAnswers(rule.bounds(pod.shape())).accounts();
    }

    /** Where the rules come from that follow: the reader need not be the one who has written them. */
    static Account about(BoundPolicy policy) {
        return new Account.Words(policy.name() + " is about " + policy.inWords());
    }

    /** Tells of the policies that are about the pod and do not hold for it. */
    static Optional<Account> leftOut(List<BoundPolicy> policies) {
        return policies.isEmpty()
                ? Optional.empty()
                : Optional.of(new Account.Words(policies.getFirst().name()
                        + (policies.size() > 1 ? " and " + (policies.size() - 1) + " more are" : " is")
                        + " about the pod, too, and left out: " + PolicyBook.MOST
                        + " policies hold for a pod at most"));
    }

    /** The labels that a new node may have for the rule to let the pod onto it; none where any will do. */
    static List<Labels> labelsOfNewNodes(BoundRule rule, PodInfo pod) {
        return new PolicyAnswers(rule.bounds(pod.shape())).labelsOfNewNodes();
    }

    private List<Account> accounts() {
        List<Account> accounts = new ArrayList<>();
        if (rule.maxPods().isPresent()) {
            accounts.add(words(Limit.MAX_PODS, podsByDomain()));
        }
        if (rule.maxPercent().isPresent()) {
            accounts.add(words(Limit.MAX_PERCENT, podsByDomain() + ", " + (bounds.mostPods() + 1) + " at most"));
        }
        if (rule.maxDomains().isPresent()) {
            accounts.add(words(Limit.MAX_DOMAINS, "used are " + podsByDomain()));
        }
        if (!rule.mustUse().isEmpty()) {
            accounts.add(words(Limit.MUST_USE, mustUse()));
        }
        if (bounds.isWeighted()) {
            accounts.add(words(Limit.WEIGHTS, weights()));
        }
        if (!rule.isHard()) {
            accounts.add(words(Limit.MAX_SKEW, preference()));
        } else if (rule.maxSkew().isPresent()) {
            accounts.add(skew());
            domainsThatDiffer().ifPresent(accounts::add);
        }
        return accounts;
    }

    private Account words(Limit limit, String counted) {
        return new Account.Words(bounds.bound().policyName() + ": " + RuleStatuses.words(limit, rule) + " over "
                + rule.topologyKey() + ": " + counted);
    }

    /** Lists the domains that have some, the fullest first. */
    private String podsByDomain() {
        List<Integer> used = IntStream.range(0, topology.end())
                .filter(domain -> counter.sumOf(domain) > 0)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(domain -> -counter.sumOf(domain))
                        .thenComparing(topology::value))
                .toList();
        if (used.isEmpty()) {
            return "none";
        }
        return used.stream()
                        .limit(MOST_DOMAINS)
                        .map(domain -> topology.value(domain) + " " + counter.sumOf(domain))
                        .collect(Collectors.joining(", "))
                + (used.size() > MOST_DOMAINS ? " and " + (used.size() - MOST_DOMAINS) + " more" : "");
    }

    private String mustUse() {
        List<String> without = missing();
        return without.isEmpty() ? "each has some" : "without any: " + String.join(", ", without);
    }

    private List<String> missing() {
        return rule.mustUse().stream()
                .filter(value -> podsIn(value) == 0)
                .map(this::named)
                .toList();
    }

    private String weights() {
        String shares = rule.weights().stream()
                .map(part -> part.domain() + " " + podsIn(part.domain()) + " by weight " + part.weight())
                .collect(Collectors.joining(", "));
        return shares + "; the next goes to " + nextByWeight().map(this::named).collect(Collectors.joining(" or "));
    }

    private Stream<String> nextByWeight() {
        return IntStream.range(0, rule.weights().size())
                .filter(bounds::isTurnOfWeight)
                .mapToObj(rule.weights()::get)
                .map(DomainWeight::domain);
    }

    private String named(String value) {
        return topology.has(value) ? value : value + " (which has no nodes)";
    }

    private int podsIn(String domain) {
        return bounds.bound().podsIn(domain);
    }

    /** A rule by which no node is turned away, and by which nodes are chosen nevertheless. */
    private String preference() {
        return podsByDomain() + ", " + bounds.fewestBySkew() + " at least; a preference that turns no node away";
    }

    private Account skew() {
        int maxSkew = rule.maxSkew().orElse(1);
        List<Account.SpreadDomain> domains = IntStream.range(0, topology.end())
                .filter(domain -> topology.nodeCount(domain) > 0)
                .mapToObj(domain -> {
                    int matching = bounds.open().sumOf(domain);
                    int skew = matching + 1 - bounds.fewestBySkew();
                    return new Account.SpreadDomain(
                            topology.value(domain), matching, bounds.open().isCounted(domain), skew, skew <= maxSkew);
                })
                .sorted(Comparator.comparing(Account.SpreadDomain::value))
                .toList();
        return new Account.Spread(
                rule.topologyKey(),
                maxSkew,
                1,
                SelectorText.of(
                        bounds.bound().group().key().matches().getFirst().selector()),
                1,
                bounds.fewestBySkew(),
                domains);
    }

    /** Which domains are waited for although no node of theirs is open to the pod, and which are not although one may be. */
    private Optional<Account> domainsThatDiffer() {
        List<String> words = new ArrayList<>();
        bounds.awaited()
                .ifPresent(known -> words.add("known domain " + known + " has " + podsIn(known) + ", and "
                        + (topology.has(known) ? "no node that the pod may use" : "no nodes")));
        bounds.bound()
                .relaxed()
                .forEach(domain -> words.add(
                        domain.domain() + " is not waited for: " + domain.reason() + " since " + domain.since()));
        return words.isEmpty() ? Optional.empty() : Optional.of(words(Limit.MAX_SKEW, String.join(", ", words)));
    }

    /** Where a domain awaits its pod, by its weight or as one that must be used, a node there is what helps. */
    private List<Labels> labelsOfNewNodes() {
        Set<String> awaited = new TreeSet<>();
        if (bounds.isWeighted()) {
            nextByWeight().forEach(awaited::add);
        } else if (bounds.isOneMissing()) {
            rule.mustUse().stream().filter(value -> podsIn(value) == 0).forEach(awaited::add);
        } else {
            bounds.awaited().ifPresent(awaited::add);
        }
        return awaited.stream()
                .map(value -> Labels.of(rule.topologyKey(), value))
                .toList();
    }

    /**
     * Returns changes that let the pod onto a node that a policy turns it away from, for the first rule that is broken; others
     * come to light once it is kept: the limit in the way, as far as it is a number, with as much more as one pod takes there; or a
     * label that the node lacks. Which domains must be used, and by which weights, is what the policy is for, and left alone.
     */
    static List<List<Change>> remedies(List<BoundPolicy> policies, PodInfo pod, NodeInfo node) {
        return policies.stream()
                .flatMap(policy -> policy.hardRules(pod.pod()).stream()
                        .map(bound -> new PolicyAnswers(bound.bounds(pod.shape())))
                        .flatMap(answers -> answers.past(policy.policy(), node).stream()))
                .findFirst()
                .orElse(List.of());
    }

    private Optional<List<List<Change>>> past(PolicyObject policy, NodeInfo node) {
        int domain = topology.domainOf(LiveNode.idOf(node));
        return bounds.brokenIn(domain).map(limit -> past(limit, domain, policy, node));
    }

    private List<List<Change>> past(Limit limit, int domain, PolicyObject policy, NodeInfo node) {
        return switch (limit) {
            case LABEL -> labels(node);
            case MAX_PODS -> more(policy, Field.MAX_PODS, rule.maxPods(), bounds.podsIn(domain) + 1);
            case MAX_PERCENT -> more(policy, Field.MAX_PERCENT, rule.maxPercent(), percent(domain));
            case MAX_DOMAINS -> more(policy, Field.MAX_DOMAINS, rule.maxDomains(), counter.occupiedDomains() + 1);
            case MAX_SKEW ->
                more(policy, Field.MAX_SKEW, rule.maxSkew(), bounds.openPodsIn(domain) + 1 - bounds.fewestBySkew());
            case MUST_USE, WEIGHTS -> List.of();
        };
    }

    /** By so many of a hundred, one pod more is not more than the domain's share, rounded up. */
    private int percent(int domain) {
        long inAll = counter.total() + 1L;
        int before = rule.maxPercent().orElse(100);
        return IntStream.rangeClosed(before, 100)
                .filter(percent -> (inAll * percent + 99) / 100 > bounds.podsIn(domain))
                .findFirst()
                .orElse(100);
    }

    private List<List<Change>> more(PolicyObject policy, Field field, OptionalInt before, int limit) {
        return List.of(List.of(new PolicyLimit(
                policy.kindName(),
                policy.meta().key(),
                policy.spec().rules().indexOf(rule),
                rule.topologyKey(),
                field,
                before.orElse(0),
                limit)));
    }

    /** The label as a domain has it that would take the pod; a new one where there is none. */
    private List<List<Change>> labels(NodeInfo node) {
        String key = rule.topologyKey();
        Stream<NodeLabelled> open = IntStream.range(0, topology.end())
                .filter(one ->
                        topology.nodeCount(one) > 0 && bounds.brokenIn(one).isEmpty())
                .mapToObj(topology::value)
                .sorted()
                .limit(1)
                .map(value -> new NodeLabelled(node.name(), key, value));
        return Stream.concat(open, Stream.of(NodeLabelled.anew(node.name(), key)))
                .map(List::<Change>of)
                .toList();
    }
}
