package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.framework.why.Account;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Explains VolumeZone to a pod with volumes in zones: where each is, and which nodes are there. */
final class ZoneAnswers {
    private final KnownVolumes known;
    private final NodeTable nodes;

    ZoneAnswers(KnownVolumes known, NodeTable nodes) {
        this.known = known;
        this.nodes = nodes;
    }

    List<Account> accounts(Pod pod) {
        List<Account> accounts = new ArrayList<>();
        known.claimsOf(pod)
                .distinct()
                .forEach(claim -> known.volume(claim.volumeName()).ifPresent(volume -> {
                    Zones zones = Zones.of(volume);
                    List<String> there = nodesIn(zones);
                    if (there.size() < nodes.count()) {
                        accounts.add(Account.Places.of(
                                "claim " + claim.key() + ": volume " + volume.name() + " with " + text(zones),
                                there,
                                nodes.count()));
                    }
                }));
        return List.copyOf(accounts);
    }

    private List<String> nodesIn(Zones zones) {
        return IntStream.range(0, nodes.end())
                .filter(node ->
                        nodes.isPresent(node) && zones.include(nodes.node(node).labels()))
                .mapToObj(nodes::name)
                .toList();
    }

    private static String text(Zones zones) {
        return zones.all().stream()
                .map(label -> label.key() + "=" + String.join(" or ", new TreeSet<>(label.values())))
                .collect(Collectors.joining(" and "));
    }

    /** The one set of labels by which a node is where all volumes are; none where they are apart. */
    List<Labels> labelsOfNewNodes(Pod pod) {
        Map<String, Set<String>> values = new TreeMap<>();
        known.claimsOf(pod)
                .flatMap(claim -> known.volume(claim.volumeName()).stream())
                .flatMap(volume -> Zones.of(volume).all().stream())
                .forEach(label -> values.computeIfAbsent(label.newKey(), _ -> new TreeSet<>(label.values()))
                        .retainAll(label.values()));
        if (values.isEmpty() || values.values().stream().anyMatch(Set::isEmpty)) {
            return List.of();
        }
        Map<String, String> labels = new TreeMap<>();
        values.forEach((key, some) -> labels.put(key, some.iterator().next()));
        return List.of(Labels.of(labels));
    }
}
