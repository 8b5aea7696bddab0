package io.evenkeel.cluster;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.BrokenIndex;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * All indexes of a cluster in the order in which they were registered; each may read those before it. So they
 * are told in this order of what comes, and in reverse order of pods that go. One that leaves a method of {@link
 * ClusterIndex} as it is, empty, is not called by it: pods come and go too often for calls that do nothing.
 */
final class ClusterIndexes {
    private static final ClusterIndex[] NONE = {};

    private final List<ClusterIndex> all = new ArrayList<>();
    private ClusterIndex[] ofPods = NONE;
    private ClusterIndex[] ofReplacedPods = NONE;
    private ClusterIndex[] ofNodes = NONE;
    private ClusterIndex[] ofUnchangedNodes = NONE;
    private ClusterIndex[] ofObjects = NONE;

    void add(ClusterIndex index) {
        all.add(index);
        if (listens(index, "podPlaced", int.class) || listens(index, "podRemoved", int.class)) {
            ofPods = with(ofPods, index);
        }
        if (listens(index, "podReplaced", int.class, Pod.class)) {
            ofReplacedPods = with(ofReplacedPods, index);
        }
        if (listens(index, "nodeChanged", int.class, Optional.class, Optional.class)) {
            ofNodes = with(ofNodes, index);
        }
        if (listens(index, "nodeUnchanged", int.class)) {
            ofUnchangedNodes = with(ofUnchangedNodes, index);
        }
        if (listens(index, "objectChanged", Optional.class, Optional.class)) {
            ofObjects = with(ofObjects, index);
        }
    }

    private static boolean listens(ClusterIndex index, String method, Class<?>... parameters) {
        try {
            return index.getClass().getMethod(method, parameters).getDeclaringClass() != ClusterIndex.class;
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException("every index has " + method, impossible);
        }
    }

    private static ClusterIndex[] with(ClusterIndex[] indexes, ClusterIndex more) {
        ClusterIndex[] longer = Arrays.copyOf(indexes, indexes.length + 1);
        longer[indexes.length] = more;
        return longer;
    }

    void podPlaced(int row) {
        for (ClusterIndex index : ofPods) {
            try {
                index.podPlaced(row);
            } catch (RuntimeException | Error thrown) {
                throw new BrokenIndex(index, thrown);
            }
        }
    }

    void podRemoved(int row) {
        for (int i = ofPods.length - 1; i >= 0; i--) {
            try {
                ofPods[i].podRemoved(row);
            } catch (RuntimeException | Error thrown) {
                throw new BrokenIndex(ofPods[i], thrown);
            }
        }
    }

    void podReplaced(int row, Pod before) {
        for (ClusterIndex index : ofReplacedPods) {
            try {
                index.podReplaced(row, before);
            } catch (RuntimeException | Error thrown) {
                throw new BrokenIndex(index, thrown);
            }
        }
    }

    void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
        for (ClusterIndex index : ofNodes) {
            try {
                index.nodeChanged(node, before, after);
            } catch (RuntimeException | Error thrown) {
                throw new BrokenIndex(index, thrown);
            }
        }
    }

    void nodeUnchanged(int node) {
        for (ClusterIndex index : ofUnchangedNodes) {
            try {
                index.nodeUnchanged(node);
            } catch (RuntimeException | Error thrown) {
                throw new BrokenIndex(index, thrown);
            }
        }
    }

    void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        for (ClusterIndex index : ofObjects) {
            try {
                index.objectChanged(before, after);
            } catch (RuntimeException | Error thrown) {
                throw new BrokenIndex(index, thrown);
            }
        }
    }

    /** Answers what is to be told when the list has ended, in this order. */
    List<Consumer<Predicate<ObjectMeta>>> listBegins(String kind) {
        return all.stream().map(index -> index.listBegins(kind)).toList();
    }

    /** Answers what ends the what-if for each index, in the order in which it is to run. */
    List<Runnable> whatIfBegins() {
        return all.stream().map(ClusterIndex::whatIfBegins).toList().reversed();
    }

    List<ClusterIndex> all() {
        return List.copyOf(all);
    }
}
