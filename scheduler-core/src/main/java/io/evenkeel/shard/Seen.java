package io.evenkeel.shard;

import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * How far an engine has got. Versions of pods grow, and those of nodes, as far as a watch tells; a list tells of its newest at its end.
 *
 * <p>A list does not tell that a node was another's in between and came back. So others may not rely on what was listed until they
 * have seen the nodes as they are in the list: until then one that was theirs in between would be taken by them for free.
 *
 * <pre>
 * node-1 is ours at 5, and at 9 again; at 7 it was another's, who is at 8
 * we list all nodes at 10                            nodes 5: at 7 we know nothing of node-1 that was another's
 * the other is at 9, where it loses node-1           nodes 10
 * </pre>
 *
 * <p>What is on its way to a node holds the engine back to what it had seen before that was decided. When that was is known to be after
 * the last time that somebody asked, at which it was not on its way yet: so nothing is noted when a pod is decided, and who
 * asks again a moment later gets all of it.
 */
final class Seen {
    /** What had been seen at some time. */
    private record Mark(long pods, long nodes) {
        private static final Mark NOTHING = new Mark(0, 0);

        private Mark or(Mark earlier) {
            return new Mark(Math.min(pods, earlier.pods), Math.min(nodes, earlier.nodes));
        }
    }

    private record Sent(ObjectMeta pod, Mark mark) {}

    private final Supplier<Scheduler> engine;
    private final Newest pods = new Newest();
    private final Newest nodes = new Newest();
    /** How far nodes had been seen before they were listed, until others have seen those that were; or {@link Newest#NONE}. */
    private long beforeList = Newest.NONE;

    private long listedNodes;
    private long othersNodes;
    private Mark lastAsked = Mark.NOTHING;
    /** By UID, the pods that were decided, but cannot be bound yet; as they were when somebody asked. */
    private Map<String, Mark> unsent = Map.of();
    /** By key, the pods for which a binding was sent, and of which it is not known whether it holds. */
    private final Map<String, Sent> bindings = new HashMap<>();

    Seen(Supplier<Scheduler> engine) {
        this.engine = engine;
    }

    void saw(String kind, ObjectMeta object) {
        if (kind.equals("Pod")) {
            pods.saw(object);
        } else if (kind.equals("Node")) {
            nodes.saw(object);
        }
    }

    void listBegan(String kind) {
        if (kind.equals("Pod")) {
            pods.listBegan();
        } else if (kind.equals("Node")) {
            nodes.listBegan();
        }
    }

    void listEnded(Relist.Ended list) {
        if (list.kind().equals("Pod")) {
            pods.listEnded(version(list.version()));
        } else if (list.kind().equals("Node")) {
            boolean isFirst = nodes.upTo == 0;
            if (!isFirst) {
                beforeList = beforeList == Newest.NONE ? nodes.upTo : beforeList;
                listedNodes = Math.max(listedNodes, nodes.listed);
            }
            nodes.listEnded(version(list.version()));
        }
    }

    void othersAt(ShardProgress least) {
        othersNodes = least.nodesSeen();
    }

    private long nodesForOthers() {
        if (othersNodes >= listedNodes) {
            beforeList = Newest.NONE;
        }
        return beforeList == Newest.NONE ? nodes.upTo : beforeList;
    }

    /** Each pod of a version up to this has been seen, or is gone. */
    long pods() {
        return pods.upTo;
    }

    /** The newest version of a pod that was seen. */
    long newestPod() {
        return pods.seen;
    }

    /** A binding is sent. */
    void sent(ObjectMeta pod) {
        bindings.put(pod.key(), new Sent(pod, unsent.getOrDefault(pod.uid(), lastAsked)));
    }

    /** Whether a binding of the pod may hold. */
    boolean binds(Pod pod) {
        Sent sent = bindings.isEmpty() ? null : bindings.get(pod.key());
        return sent != null && sent.pod.uid().equals(pod.meta().uid());
    }

    /** The pod is in place, or gone, or certainly not bound: nothing is on its way any more. */
    void settled(Pod pod) {
        if (binds(pod)) {
            bindings.remove(pod.key());
        }
    }

    /** There is this pod: another that had its name before is gone. */
    void there(Pod pod) {
        if (!bindings.isEmpty() && !binds(pod)) {
            bindings.remove(pod.key());
        }
    }

    /** Forgets pods that did not come as all were listed. */
    void forget(Predicate<ObjectMeta> gone) {
        bindings.values().removeIf(binding -> gone.test(binding.pod));
    }

    ShardProgress progress() {
        Mark now = new Mark(pods.upTo, nodesForOthers());
        Map<String, Mark> underway = new HashMap<>();
        for (Scheduler.OnItsWay pod : engine.get().onTheirWay()) {
            String uid = pod.pod().meta().uid();
            if (!binds(pod.pod())) {
                underway.put(uid, unsent.getOrDefault(uid, lastAsked));
            }
        }
        unsent = underway;
        lastAsked = now;
        Mark least = now;
        for (Mark each : underway.values()) {
            least = least.or(each);
        }
        for (Sent each : bindings.values()) {
            least = least.or(each.mark);
        }
        return new ShardProgress(least.pods, pods.seen, least.nodes, nodes.upTo);
    }

    static long version(ObjectMeta object) {
        return version(object.resourceVersion());
    }

    /** 0 where it is no number. */
    static long version(String text) {
        long version = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || version > Long.MAX_VALUE / 10 - 1) {
                return 0;
            }
            version = version * 10 + digit;
        }
        return version;
    }

    private static final class Newest {
        private static final long NONE = -1;

        long seen;
        /** A list tells of all up to its own version, though the newest of them may be gone. */
        long upTo;
        /** The newest that a list has brought so far. */
        private long listed = NONE;

        void saw(ObjectMeta object) {
            long version = version(object);
            if (listed == NONE) {
                seen = Math.max(seen, version);
                upTo = Math.max(upTo, version);
            } else {
                listed = Math.max(listed, version);
            }
        }

        void listBegan() {
            listed = 0;
        }

        void listEnded(long version) {
            seen = Math.max(seen, listed);
            upTo = Math.max(upTo, Math.max(listed, version));
            listed = NONE;
        }
    }
}
