package io.evenkeel.plugins.noderesources;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.shape.PodResources;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.NodeChange.MoreOffered;
import io.evenkeel.framework.why.PodChange.LessAsked;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Explains NodeResourcesFit to a pod without room: how much is asked for and free, and how room could be made. */
final class FitAnswers {
    private static final int MOST_PODS_TRIED = 3;

    private final ClusterView cluster;
    private final IgnoredResources ignored;

    FitAnswers(ClusterView cluster, IgnoredResources ignored) {
        this.cluster = cluster;
        this.ignored = ignored;
    }

    List<Account> accounts(PodInfo pod) {
        List<Account> accounts = new ArrayList<>();
        asked(pod).forEach((resource, amount) -> {
            long most = Long.MIN_VALUE;
            long inAll = 0;
            int fewerThanAsked = 0;
            String roomiest = "";
            for (int node = 0; node < cluster.nodes().end(); node++) {
                if (cluster.nodes().isPresent(node)) {
                    long free = free(resource, cluster.nodeInfo(node));
                    inAll = Quantity.saturatedSum(inAll, Math.max(0, free));
                    fewerThanAsked += free < amount ? 1 : 0;
                    String name = cluster.nodes().name(node);
                    if (free > most || (free == most && name.compareTo(roomiest) < 0)) {
                        most = free;
                        roomiest = name;
                    }
                }
            }
            if (fewerThanAsked > 0) {
                accounts.add(new Account.Resource(
                        resource,
                        ResourceNames.text(resource, amount),
                        ResourceNames.text(resource, most),
                        roomiest,
                        ResourceNames.text(resource, inAll),
                        fewerThanAsked));
            }
        });
        return accounts;
    }

    /** How much is lacking, each resource in parts of what is asked for. */
    double distance(PodInfo pod, NodeInfo node) {
        double sum = 0;
        for (Map.Entry<String, Long> resource : asked(pod).entrySet()) {
            long lacking = resource.getValue() - free(resource.getKey(), node);
            sum += lacking > 0 ? lacking / (double) resource.getValue() : 0;
        }
        return sum;
    }

    /** More of what is lacking, less of it asked for, or a pod gone that has enough of it. */
    List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        Map<String, Long> lacking = lacking(pod, node);
        List<List<Change>> ways = new ArrayList<>();
        if (!node.node().allocatable().isEmpty()
                && lacking.entrySet().stream().allMatch(each -> canOffer(node, each))) {
            ways.add(lacking.entrySet().stream()
                    .<Change>map(resource -> new MoreOffered(
                            node.name(), resource.getKey(), node.allocatable(resource.getKey()), resource.getValue()))
                    .toList());
        }
        lessAsked(pod.pod(), lacking).ifPresent(ways::add);
        node.pods().stream()
                .filter(other -> givesBack(other, lacking))
                .sorted(Comparator.comparingInt((Pod other) -> other.spec().priority())
                        .thenComparing(Pod::key))
                .limit(MOST_PODS_TRIED)
                .forEach(other -> ways.add(List.of(new PodGone(other, node.name()))));
        return ways;
    }

    /** Empty where less than half would be left of something: a pod that asks for so much more means another kind of node. */
    private static Optional<List<Change>> lessAsked(Pod pod, Map<String, Long> lacking) {
        List<Change> changes = new ArrayList<>();
        lacking.forEach((resource, amount) -> LessAsked.of(pod, resource, amount)
                .filter(change -> change.less() <= change.asked() / 2)
                .ifPresent(changes::add));
        return changes.size() == lacking.size() ? Optional.of(List.copyOf(changes)) : Optional.empty();
    }

    /** Whether there is a number for it: pods may ask for any. */
    private static boolean canOffer(NodeInfo node, Map.Entry<String, Long> lacking) {
        long there = node.allocatable(lacking.getKey());
        return lacking.getValue() > 0 && there + lacking.getValue() > there;
    }

    private Map<String, Long> lacking(PodInfo pod, NodeInfo node) {
        Map<String, Long> lacking = new LinkedHashMap<>();
        asked(pod).forEach((resource, amount) -> {
            long free = free(resource, node);
            if (free < amount) {
                lacking.put(resource, amount - free);
            }
        });
        return lacking;
    }

    private boolean givesBack(Pod other, Map<String, Long> lacking) {
        ResourceVector requests = PodResources.of(other, cluster.resources()).requests();
        return lacking.entrySet().stream()
                .allMatch(resource -> resource.getKey().equals(ResourceNames.PODS_NAME)
                        ? resource.getValue() <= 1
                        : requests.amountOf(cluster.resources().find(resource.getKey())) >= resource.getValue());
    }

    /** By resource, a place for the pod itself among them. */
    private Map<String, Long> asked(PodInfo pod) {
        Map<String, Long> asked = new TreeMap<>();
        ResourceVector amounts = pod.shape().resources().value().asked();
        for (int i = 0; i < amounts.size(); i++) {
            String name = cluster.resources().nameOf(amounts.resourceAt(i));
            if (!ignored.contains(name)) {
                asked.put(name, amounts.amountAt(i));
            }
        }
        asked.put(ResourceNames.PODS_NAME, 1L);
        return asked;
    }

    private static long free(String resource, NodeInfo node) {
        return node.allocatable(resource) - node.requested(resource);
    }
}
