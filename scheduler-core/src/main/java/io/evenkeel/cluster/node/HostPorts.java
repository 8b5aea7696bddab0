package io.evenkeel.cluster.node;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.model.Container;
import io.evenkeel.model.HostPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The host ports taken on each node, found by port so that a pod looks only at ports that can conflict. */
public final class HostPorts {
    private record Endpoint(String protocol, int port) {}

    /** One address, protocol and port, and how many claims pods make on it by node. */
    public static final class Claim {
        private final HostPort port;
        private final SparseCounts.Writer counting = SparseCounts.create();
        private int total;

        private Claim(HostPort port) {
            this.port = port;
        }

        HostPort port() {
            return port;
        }

        public SparseCounts pods() {
            return counting.counts();
        }
    }

    private final PodTable pods;
    private final Map<Endpoint, List<Claim>> claims = new ShrinkingMap<>();

    private HostPorts(PodTable pods) {
        this.pods = pods;
    }

    /** Starts without claims; the caller is to change them. */
    public static Writer create(PodTable pods) {
        return new HostPorts(pods).new Writer();
    }

    /** The claims that a pod which wants this port conflicts with. */
    public List<Claim> conflicting(HostPort wanted) {
        List<Claim> sameEndpoint = claims.get(endpointOf(wanted));
        if (sameEndpoint == null) {
            return List.of();
        }
        List<Claim> conflicting = new ArrayList<>(sameEndpoint.size());
        for (Claim claim : sameEndpoint) {
            if (claim.port.conflictsWith(wanted)) {
                conflicting.add(claim);
            }
        }
        return conflicting;
    }

    List<Claim> all() {
        return claims.values().stream().flatMap(List::stream).toList();
    }

    /** Changes them; made with them, and not to be had from them. */
    public final class Writer implements ClusterIndex {
        private Writer() {}

        public HostPorts hostPorts() {
            return HostPorts.this;
        }

        @Override
        public void podPlaced(int row) {
            List<HostPort> ports = portsOf(row);
            for (int i = 0; i < ports.size(); i++) {
                HostPort port = ports.get(i);
                List<Claim> sameEndpoint = claims.computeIfAbsent(endpointOf(port), endpoint -> new ArrayList<>());
                Claim claim = find(sameEndpoint, port);
                if (claim == null) {
                    claim = new Claim(port);
                    sameEndpoint.add(claim);
                }
                claim.counting.add(pods.node(row), 1);
                claim.total++;
            }
        }

        @Override
        public void podRemoved(int row) {
            for (HostPort port : portsOf(row)) {
                List<Claim> sameEndpoint = claims.get(endpointOf(port));
                Claim claim = sameEndpoint == null ? null : find(sameEndpoint, port);
                if (sameEndpoint == null || claim == null) {
                    throw new IllegalStateException("no claim of " + port);
                }
                claim.counting.add(pods.node(row), -1);
                if (--claim.total == 0) {
                    sameEndpoint.remove(claim);
                    if (sameEndpoint.isEmpty()) {
                        claims.remove(endpointOf(port));
                    }
                }
            }
        }

        private List<HostPort> portsOf(int row) {
            return pods.shape(row).value().hostPorts().value();
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {
            Map<HostPort, Map<Integer, Integer>> recounted = recount(facts);
            Set<HostPort> kept = new HashSet<>();
            for (Claim claim : all()) {
                differences.require(kept.add(claim.port()), () -> "host port " + claim.port() + " is kept twice");
                Map<Integer, Integer> anew = recounted.getOrDefault(claim.port(), Map.of());
                claim.pods().audit("claims on " + claim.port(), anew, facts, differences);
                differences.compare(
                        () -> "claims on " + claim.port(),
                        claim.total,
                        anew.values().stream().mapToInt(Integer::intValue).sum());
            }
            differences.compare(() -> "host ports", kept, recounted.keySet());
        }

        @Override
        public void describe(AuditFacts facts, Consumer<String> line) {
            all().forEach(claim ->
                    line.accept("claims on " + claim.port() + " " + claim.pods().byName(facts::nameOf)));
        }
    }

    private static Map<HostPort, Map<Integer, Integer>> recount(AuditFacts facts) {
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

    private static @Nullable Claim find(List<Claim> claims, HostPort port) {
        for (Claim claim : claims) {
            if (claim.port.equals(port)) {
                return claim;
            }
        }
        return null;
    }

    private static Endpoint endpointOf(HostPort port) {
        return new Endpoint(port.protocol(), port.port());
    }
}
