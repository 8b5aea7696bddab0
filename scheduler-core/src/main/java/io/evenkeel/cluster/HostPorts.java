package io.evenkeel.cluster;

import io.evenkeel.model.HostPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which nodes have which host ports taken, found by port so that a pod looks only at those that can conflict. */
public final class HostPorts {
    private record Endpoint(String protocol, int port) {}

    /** One address, protocol and port, and how many claims pods make on it by node. */
    public static final class Claim {
        private final HostPort port;
        private final NodeCounts pods = new NodeCounts();
        private int total;

        private Claim(HostPort port) {
            this.port = port;
        }

        public HostPort port() {
            return port;
        }

        public NodeCounts pods() {
            return pods;
        }

        int total() {
            return total;
        }
    }

    private final Map<Endpoint, List<Claim>> claims = new HashMap<>();

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

    void addPod(List<HostPort> ports, int node) {
        for (HostPort port : ports) {
            List<Claim> sameEndpoint = claims.computeIfAbsent(endpointOf(port), endpoint -> new ArrayList<>());
            Claim claim = find(sameEndpoint, port);
            if (claim == null) {
                claim = new Claim(port);
                sameEndpoint.add(claim);
            }
            claim.pods.add(node, 1);
            claim.total++;
        }
    }

    void removePod(List<HostPort> ports, int node) {
        for (HostPort port : ports) {
            List<Claim> sameEndpoint = claims.get(endpointOf(port));
            Claim claim = sameEndpoint == null ? null : find(sameEndpoint, port);
            if (sameEndpoint == null || claim == null) {
                throw new IllegalStateException("nobody claims " + port);
            }
            claim.pods.add(node, -1);
            if (--claim.total == 0) {
                sameEndpoint.remove(claim);
                if (sameEndpoint.isEmpty()) {
                    claims.remove(endpointOf(port));
                }
            }
        }
    }

    List<Claim> all() {
        return claims.values().stream().flatMap(List::stream).toList();
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
