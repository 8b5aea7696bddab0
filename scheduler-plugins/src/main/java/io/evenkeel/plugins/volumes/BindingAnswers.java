package io.evenkeel.plugins.volumes;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.model.constraint.LackingLabels;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.volumes.ClaimReader.PodClaims;
import io.evenkeel.plugins.volumes.NodeSearch.NodeReasons;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Explains VolumeBinding to a pod if its volumes are elsewhere, or not there: claim by claim. */
final class BindingAnswers {
    private static final int MOST_LABELS = 8;

    private final KnownVolumes known;
    private final NodeTable nodes;
    private final ClaimReader claims;
    private final VolumeBook book;
    private final Reach reach;
    private final NodeSearch search;
    private final ClaimAnswers outright;
    private final StorageRemedies storage;

    BindingAnswers(ClusterView cluster, ClaimReader claims, VolumeBook book, Reach reach, NodeSearch search) {
        known = new KnownVolumes(cluster);
        nodes = cluster.nodes();
        this.claims = claims;
        this.book = book;
        this.reach = reach;
        this.search = search;
        outright = new ClaimAnswers(cluster);
        storage = new StorageRemedies(cluster);
    }

    List<Account> accounts(PodInfo pod) {
        return switch (claims.read(pod.pod())) {
            case ClaimReader.Answer.None _ -> List.of();
            case ClaimReader.Answer.Unusable _ -> outright.accounts(pod.pod());
            case PodClaims some -> {
                List<Account> accounts = new ArrayList<>();
                some.bound().forEach(claim -> accounts.add(ofBound(claim)));
                some.unbound().forEach(claim -> accounts.add(ofUnbound(claim)));
                yield accounts.stream().filter(BindingAnswers::saysMuch).toList();
            }
        };
    }

    /** A thing that all nodes have is in no pod's way. */
    private static boolean saysMuch(Account account) {
        return !(account instanceof Account.Places places) || places.nodes().size() < places.of();
    }

    private Account ofBound(PersistentVolumeClaim claim) {
        Optional<PersistentVolume> volume = book.volume(claim.volumeName());
        if (volume.isEmpty()) {
            return new Account.Words(
                    "claim " + claim.key() + ": bound to volume " + claim.volumeName() + ", which is not there");
        }
        String where = volume.get().nodes().map(BindingAnswers::text).orElse("");
        return places(
                "claim " + claim.key() + ": volume " + claim.volumeName() + ", within reach"
                        + (where.isEmpty() ? "" : " where " + where),
                node -> reach.includesBound(volume.get(), node));
    }

    private Account ofUnbound(PersistentVolumeClaim claim) {
        if (claim.selectedNode().isPresent()) {
            return new Account.Words("claim " + claim.key() + ": its volume is to be made near node "
                    + claim.selectedNode().get());
        }
        String className = claim.terms().storageClass();
        long free = book.free(className, NodeSearch.sizeOf(claim)).stream()
                .filter(volume -> NodeSearch.suits(volume, claim))
                .count();
        return places(
                "claim " + claim.key() + ": " + NodeSearch.sizeOf(claim) + " of class " + className + ", "
                        + free(free) + ", "
                        + known.storageClass(className)
                                .map(storageClass -> making(claim, storageClass))
                                .orElse("none is made"),
                node -> search.search(new PodClaims(List.of(), List.of(claim)), node)
                                .reasons()
                        == NodeReasons.NONE);
    }

    private static String free(long volumes) {
        return switch ((int) Math.min(volumes, 2)) {
            case 0 -> "no free volume does";
            case 1 -> "1 free volume does";
            default -> volumes + " free volumes do";
        };
    }

    private String making(PersistentVolumeClaim claim, StorageClass storageClass) {
        if (!storageClass.provisions()) {
            return "none is made";
        }
        return "one is made"
                + (storageClass.allowedTopologies().isEmpty()
                        ? ""
                        : " where " + text(Reach.asSelector(storageClass.allowedTopologies())))
                + (search.needsRoom(claim, storageClass) ? " where the driver has room" : "");
    }

    private Account places(String text, IntPredicate isOne) {
        return Account.Places.of(
                text,
                IntStream.range(0, nodes.end())
                        .filter(node -> nodes.isPresent(node) && isOne.test(node))
                        .mapToObj(nodes::name)
                        .toList(),
                nodes.count());
    }

    /** The volumes that are missing, or that claims lack near the node. */
    List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return switch (claims.read(pod.pod())) {
            case ClaimReader.Answer.None _ -> List.of();
            case ClaimReader.Answer.Unusable _ -> outright.remedies(pod.pod());
            case PodClaims some -> {
                List<Change> volumes = new ArrayList<>(outright.missingVolumes(pod.pod()));
                volumes.addAll(storage.volumes(search.lacking(some, LiveNode.idOf(node)), node.node()));
                yield volumes.isEmpty() ? List.of() : List.of(List.copyOf(volumes));
            }
        };
    }

    /** Returns the labels by which a node reaches all volumes that there are, and by which others are made near it. */
    List<Labels> labelsOfNewNodes(PodInfo pod) {
        List<Labels> all = List.of(Labels.EMPTY);
        if (claims.read(pod.pod()) instanceof PodClaims some) {
            List<NodeSelector> selectors = new ArrayList<>();
            some.bound()
                    .forEach(claim -> book.volume(claim.volumeName())
                            .flatMap(PersistentVolume::nodes)
                            .ifPresent(selectors::add));
            some.unbound()
                    .forEach(claim -> known.storageClass(claim.terms().storageClass())
                            .filter(storageClass ->
                                    !storageClass.allowedTopologies().isEmpty())
                            .ifPresent(
                                    storageClass -> selectors.add(Reach.asSelector(storageClass.allowedTopologies()))));
            for (NodeSelector selector : selectors) {
                all = all.stream()
                        .flatMap(labels -> with(labels, selector).stream())
                        .limit(MOST_LABELS)
                        .toList();
            }
        }
        return all.stream().filter(labels -> labels.size() > 0).toList();
    }

    private static List<Labels> with(Labels labels, NodeSelector selector) {
        return selector.terms().stream()
                .map(term -> new NodeSelector(List.of(new NodeSelectorTerm(term.matchExpressions(), List.of()))))
                .flatMap(term -> LackingLabels.of(term, labels, "").stream())
                .map(labels::withAll)
                .distinct()
                .toList();
    }

    /** The selector as people read it: {@code zone=a and disk in (ssd, nvme), or rack=7}. In volumes, fields count for nothing. */
    private static String text(NodeSelector selector) {
        return selector.terms().stream().map(BindingAnswers::text).collect(Collectors.joining(", or "));
    }

    private static String text(NodeSelectorTerm term) {
        return term.matchExpressions().stream().map(BindingAnswers::text).collect(Collectors.joining(" and "));
    }

    private static String text(NodeSelectorRequirement requirement) {
        String key = requirement.key();
        String values = String.join(", ", requirement.values());
        return switch (requirement.operator()) {
            case IN -> requirement.values().size() == 1 ? key + "=" + values : key + " in (" + values + ")";
            case NOT_IN -> key + " not in (" + values + ")";
            case EXISTS -> key;
            case DOES_NOT_EXIST -> "no " + key;
            case GT -> key + " > " + values;
            case LT -> key + " < " + values;
        };
    }
}
