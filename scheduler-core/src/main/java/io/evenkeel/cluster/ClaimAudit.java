package io.evenkeel.cluster;

import io.evenkeel.model.Container;
import io.evenkeel.model.ContainerImage;
import io.evenkeel.model.HostPort;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Audits what is claimed or held by name: host ports and images. */
final class ClaimAudit {
    private final ClusterView cluster;
    private final AuditFacts facts;
    private final Differences differences;

    ClaimAudit(ClusterView cluster, AuditFacts facts, Differences differences) {
        this.cluster = cluster;
        this.facts = facts;
        this.differences = differences;
    }

    void run() {
        checkPorts();
        checkImages();
    }

    private void checkPorts() {
        Map<HostPort, Map<Integer, Integer>> recounted = recountPorts();
        Set<HostPort> kept = new HashSet<>();
        for (HostPorts.Claim claim : cluster.hostPorts().all()) {
            differences.require(kept.add(claim.port()), () -> "host port " + claim.port() + " is kept twice");
            Map<Integer, Integer> claims = recounted.getOrDefault(claim.port(), Map.of());
            AuditFacts.compareCounts(differences, "claims on " + claim.port(), claim.pods(), claims, cluster.nodes());
            differences.compare(
                    () -> "claims on " + claim.port(),
                    claim.total(),
                    claims.values().stream().mapToInt(Integer::intValue).sum());
        }
        differences.compare(() -> "host ports", kept, recounted.keySet());
    }

    private Map<HostPort, Map<Integer, Integer>> recountPorts() {
        Map<HostPort, Map<Integer, Integer>> recounted = new HashMap<>();
        for (AuditFacts.PlacedPod placed : facts.pods()) {
            placed.pod().spec().containers().forEach(container -> claim(container, placed.node(), recounted));
            placed.pod().spec().initContainers().stream()
                    .filter(Container::sidecar)
                    .forEach(container -> claim(container, placed.node(), recounted));
        }
        return recounted;
    }

    private static void claim(Container container, int node, Map<HostPort, Map<Integer, Integer>> claims) {
        container
                .hostPorts()
                .forEach(port ->
                        claims.computeIfAbsent(port, absent -> new HashMap<>()).merge(node, 1, Integer::sum));
    }

    /** But for the sizes, which depend on who was seen first. */
    private void checkImages() {
        Map<String, NodeSet> recounted = new HashMap<>();
        facts.nodes().forEach((id, node) -> {
            for (ContainerImage image : node.images()) {
                for (String name : image.names()) {
                    recounted.computeIfAbsent(name, absent -> new NodeSet()).add(id);
                }
            }
        });
        differences.compare(() -> "images", cluster.images().all().keySet(), recounted.keySet());
        cluster.images().all().forEach((name, image) -> {
            NodeSet holders = recounted.getOrDefault(name, new NodeSet());
            differences.compare(() -> "nodes with image " + name, image.nodes(), holders);
            differences.compare(() -> "number of nodes with image " + name, image.nodeCount(), holders.size());
        });
    }
}
