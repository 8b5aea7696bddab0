package io.evenkeel.policies.reading;

import io.evenkeel.cluster.node.NodeSetView;
import java.time.Duration;
import java.util.List;

/**
 * A rule by which a pod waits for domains that have fewer pods than others, until it may do without.
 *
 * @param patience how long
 * @param domains the emptiest first
 */
public record AwaitedRule(String topologyKey, int maxSkew, Duration patience, List<Domain> domains) {

    public AwaitedRule {
        domains = List.copyOf(domains);
    }

    /**
     * A domain that counts for the pod.
     *
     * @param nodes that are in it, be they open to the pod or not
     */
    public record Domain(String name, int pods, NodeSetView nodes) {}
}
