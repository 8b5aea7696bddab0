package io.evenkeel.api;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kind;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The cluster as the scheduler sees it: what is watched, with the pods that it has placed already. It is live, not a copy: a
 * plugin may keep it, reads it in its calls alone, and reads it anew in each.
 *
 * @since 0.1
 */
public interface Cluster {

    /** The node of this name, if it is there. */
    Optional<NodeInfo> nodeInfo(String name);

    /** All nodes. */
    Collection<NodeInfo> nodeInfos();

    /**
     * The last version of an object of a kind that is watched: Nodes, Namespaces, pods that count on a node, and the kinds
     * that plugins {@link Plugin#reads read}.
     *
     * @param key {@code namespace/name}, or the bare name outside of namespaces
     */
    <T extends KubernetesObject> Optional<T> find(Kind<T> kind, String key);

    /** All objects of a kind that is watched. */
    <T extends KubernetesObject> Collection<T> all(Kind<T> kind);

    /**
     * The ledger of this type, which the plugins of all profiles share: made and filled when it is first asked for, and kept
     * up to date from then on. To be asked for where the plugin is made.
     */
    <L extends Ledger> L ledger(Class<L> type, Supplier<L> make);
}
