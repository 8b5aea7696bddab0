package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.CarriedTerm;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.NodeChange.NodeLabelled;
import io.evenkeel.framework.why.PodChange.PodTermDropped;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.SelectorText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Explains InterPodAffinity to a pod that is near to the wrong ones: who is where, and which rule or pod is in the way. */
record AffinityAnswers(ClusterView cluster) {
    List<Account> accounts(PodInfo pod, OwnRules own, List<CarriedTerm> met) {
        List<Account> accounts = new ArrayList<>();
        List<PodAffinityTerm> affinity = affinity(pod);
        for (int i = 0; i < own.affinity().size(); i++) {
            DomainCounter counter = own.affinity().get(i);
            String key = counter.topology().key().label();
            String selectors = affinity.stream()
                    .filter(term -> term.topologyKey().equals(key))
                    .map(term -> SelectorText.of(term.labelSelector()))
                    .distinct()
                    .reduce((one, other) -> one + " and " + other)
                    .orElse("");
            accounts.add(new Account.Neighbours("affinity of the pod", key, selectors, domains(counter)));
        }
        for (int i = 0; i < own.antiAffinity().size(); i++) {
            DomainCounter counter = own.antiAffinity().get(i);
            accounts.add(new Account.Neighbours(
                    "anti-affinity of the pod",
                    counter.topology().key().label(),
                    SelectorText.of(antiAffinity(pod).get(i).labelSelector()),
                    domains(counter)));
        }
        met.stream()
                .filter(AffinityFilter::keepsOut)
                .map(term -> new Account.Neighbours(
                        "anti-affinity of pods in place",
                        term.counter().topology().key().label(),
                        "pods that keep this one away",
                        domains(term.counter())))
                .forEach(accounts::add);
        return accounts;
    }

    private static List<Account.NeighbourDomain> domains(DomainCounter counter) {
        Topology topology = counter.topology();
        return IntStream.range(0, topology.end())
                .filter(domain -> topology.nodeCount(domain) > 0 && counter.sumOf(domain) > 0)
                .mapToObj(domain -> new Account.NeighbourDomain(topology.value(domain), counter.sumOf(domain)))
                .sorted(Comparator.comparing(Account.NeighbourDomain::value))
                .toList();
    }

    private static List<PodAffinityTerm> affinity(PodInfo pod) {
        return pod.pod().spec().podAffinity().requiredAffinity();
    }

    private static List<PodAffinityTerm> antiAffinity(PodInfo pod) {
        return pod.pod().spec().podAffinity().requiredAntiAffinity();
    }

    /** The rule dropped that the verdict is about, or the one pod gone that it is about. */
    List<List<Change>> remedies(PodInfo pod, OwnRules own, List<CarriedTerm> met, NodeInfo node, boolean lacks) {
        List<List<Change>> ways = new ArrayList<>();
        if (lacks) {
            ways.add(labels(own.affinity(), node));
            for (int i = affinity(pod).size() - 1; i >= 0; i--) {
                ways.add(List.of(dropped(false, i, affinity(pod))));
            }
            ways.add(IntStream.iterate(affinity(pod).size() - 1, i -> i >= 0, i -> i - 1)
                    .<Change>mapToObj(i -> dropped(false, i, affinity(pod)))
                    .toList());
            ways.removeIf(List::isEmpty);
            return ways;
        }
        List<Change> terms = new ArrayList<>();
        for (int i = own.antiAffinity().size() - 1; i >= 0; i--) {
            DomainCounter counter = own.antiAffinity().get(i);
            if (AffinityFilter.isOccupied(counter, LiveNode.idOf(node))) {
                terms.add(dropped(true, i, antiAffinity(pod)));
                PodAffinityTerm term = antiAffinity(pod).get(i);
                theOneIn(
                                counter,
                                node,
                                row -> term.labelSelector()
                                        .matches(cluster.pods().pod(row).labels()))
                        .ifPresent(gone -> ways.add(List.of(gone)));
            }
        }
        if (!terms.isEmpty()) {
            ways.add(terms);
        }
        for (CarriedTerm term : met) {
            if (AffinityFilter.keepsOut(term) && AffinityFilter.isOccupied(term.counter(), LiveNode.idOf(node))) {
                theOneIn(term.counter(), node, row -> cluster.carriedTerms().weightOf(row, term) != 0)
                        .ifPresent(gone -> ways.add(List.of(gone)));
            }
        }
        return ways;
    }

    /** The labels that the node lacks, as where most of the pods are that it is to be near to; none where others are in the way. */
    private static List<Change> labels(List<DomainCounter> affinity, NodeInfo node) {
        Map<String, Change> labels = new LinkedHashMap<>();
        for (DomainCounter counter : affinity) {
            String key = counter.topology().key().label();
            if (counter.topology().domainOf(LiveNode.idOf(node)) == Topology.NO_DOMAIN) {
                Optional<Account.NeighbourDomain> domain =
                        domains(counter).stream().max(Comparator.comparingInt(Account.NeighbourDomain::matching));
                if (domain.isEmpty() || key.equals(Node.HOSTNAME)) {
                    return List.of();
                }
                labels.putIfAbsent(
                        key, new NodeLabelled(node.name(), key, domain.get().value()));
            }
        }
        return List.copyOf(labels.values());
    }

    private static Change dropped(boolean anti, int index, List<PodAffinityTerm> terms) {
        return new PodTermDropped(anti, index, terms.get(index).topologyKey());
    }

    /** The pod that is counted in the node's domain, if it is but one. */
    private Optional<Change> theOneIn(DomainCounter counter, NodeInfo node, IntPredicate isCounted) {
        int domain = counter.topology().domainOf(LiveNode.idOf(node));
        if (counter.sumOf(domain) != 1) {
            return Optional.empty();
        }
        List<Change> found = new ArrayList<>();
        counter.tally().counts().forEachNode(there -> {
            if (counter.topology().domainOf(there) == domain) {
                for (int row = cluster.pods().firstOnNode(there);
                        row >= 0;
                        row = cluster.pods().nextOnNode(row)) {
                    if (isCounted.test(row)) {
                        Pod pod = cluster.pods().pod(row);
                        found.add(new PodGone(pod, cluster.nodes().name(there)));
                    }
                }
            }
        });
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }
}
