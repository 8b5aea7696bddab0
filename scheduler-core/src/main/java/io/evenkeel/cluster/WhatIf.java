package io.evenkeel.cluster;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.Trial;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Hypothetical changes to the cluster, made to the live structures and taken back by {@link #close}, newest first.
 *
 * <p>Every change has an exact inverse among the changes (a pod put on a node is taken off it, a node is given back what
 * it was), and every count is a sum of whole numbers, so taking back restores what there was; both ways cost what the
 * change touches. Ids that are free are used again newest first, and changes are taken back newest first, so that rows,
 * domains and the order of a node's pods are the same again too: asking what-if changes no later decision. What-ifs
 * nest: an inner one is closed before the outer one goes on, or together with it. Once closed it changes nothing more.
 *
 * <pre>{@code
 *                  pods of n1   of n2   to be done by close, first things first
 *                  p
 * place(q, n2)     p            q       take q away
 * remove(p)                     q       put p on n1; take q away
 * removeNode(n2)                q       put n2 back; put p on n1; take q away    (q waits for n2 to come back)
 * close()          p
 * }</pre>
 */
public final class WhatIf implements Trial.Changes {
    private final ClusterState cluster;
    private final ClusterView view;
    private final Deque<WhatIf> open;
    private final ArrayDeque<Runnable> inverses = new ArrayDeque<>();
    private final List<Runnable> ends;
    private boolean isClosed;

    /**
     * @param open what-ifs, innermost first
     * @param ends what indexes have to do once all is taken back
     */
    WhatIf(ClusterState cluster, Deque<WhatIf> open, List<Runnable> ends) {
        this.cluster = cluster;
        this.view = cluster.view();
        this.open = open;
        this.ends = ends;
        open.push(this);
    }

    /** Puts a pod on a node, moving it there if it is on another. */
    public WhatIf place(Pod pod, int node) {
        requireInnermost();
        inverses.push(inverseForPod(pod.key()));
        cluster.assume(pod, node);
        return this;
    }

    @Override
    public WhatIf place(Pod pod, NodeInfo node) {
        return place(pod, LiveNode.idOf(node));
    }

    /** Places a pod that has been admitted, which costs less. */
    public WhatIf place(PodInfo pod, int node) {
        requireInnermost();
        inverses.push(inverseForPod(pod.pod().key()));
        cluster.assume(pod, node);
        return this;
    }

    @Override
    public WhatIf remove(Pod pod) {
        requireInnermost();
        inverses.push(inverseForPod(pod.key()));
        cluster.takeAway(pod.key());
        return this;
    }

    /** Adds a node, or changes one: its labels, taints, allocatable amounts. */
    public WhatIf put(Node node) {
        requireInnermost();
        inverses.push(inverseForNode(node.name()));
        cluster.putNode(node);
        return this;
    }

    /**
     * Adds an object that is neither node nor pod. One that is there is not changed: indexes take news of it for the server's,
     * and give up for good what they have assumed of it.
     */
    public WhatIf add(KubernetesObject object) {
        requireInnermost();
        if (object instanceof Node
                || object instanceof Pod
                || view.objects().like(object).isPresent()) {
            throw new IllegalArgumentException(
                    object.kindName() + " " + object.meta().key() + " is none that can be added");
        }
        inverses.push(() -> cluster.remove(object));
        cluster.put(object);
        return this;
    }

    /**
     * Changes an object that is there and of which no index assumes anything: a policy, or a claim for devices unless some are
     * assumed for it.
     */
    public WhatIf change(KubernetesObject object) {
        requireInnermost();
        KubernetesObject before = view.objects()
                .like(object)
                .orElseThrow(() -> new IllegalArgumentException(
                        object.kindName() + " " + object.meta().key() + " is not there"));
        inverses.push(() -> cluster.put(before));
        cluster.put(object);
        return this;
    }

    /** Adds or changes an object, as it is there or not. */
    public WhatIf put(KubernetesObject object) {
        return view.objects().like(object).isPresent() ? change(object) : add(object);
    }

    /** Takes away an object that is there, and is neither node nor pod. */
    public WhatIf remove(KubernetesObject object) {
        requireInnermost();
        inverses.push(() -> cluster.put(object));
        cluster.remove(object);
        return this;
    }

    public WhatIf removeNode(String name) {
        requireInnermost();
        inverses.push(inverseForNode(name));
        cluster.removeNode(name);
        return this;
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        while (open.peek() != this) {
            open.element().close();
        }
        open.pop();
        isClosed = true;
        takeBack();
    }

    void leaveToOuter() {
        requireInnermost();
        if (open.size() == 1) {
            throw new IllegalStateException("no what-if is around this one");
        }
        open.pop();
        isClosed = true;
        open.element().inverses.push(this::takeBack);
    }

    /** The innermost that is open, which is this one or one that was begun in it. */
    public WhatIf innermost() {
        return open.element();
    }

    private void takeBack() {
        while (!inverses.isEmpty()) {
            inverses.pop().run();
        }
        ends.forEach(Runnable::run);
    }

    private void requireInnermost() {
        if (isClosed) {
            throw new IllegalStateException("the what-if is closed");
        }
        if (open.peek() != this) {
            throw new IllegalStateException("a what-if that was begun later is open");
        }
    }

    private Runnable inverseForPod(String key) {
        PodTable pods = view.pods();
        int row = pods.find(key);
        if (row == PodTable.NONE) {
            return () -> cluster.takeAway(key);
        }
        Pod before = pods.pod(row);
        String node = view.nodes().name(pods.node(row));
        boolean wasAssumed = pods.isAssumed(row);
        int after = pods.previousOnNode(row);
        return () -> cluster.putBack(before, node, wasAssumed, after);
    }

    private Runnable inverseForNode(String name) {
        int id = view.nodes().findPresent(name);
        if (id < 0) {
            return () -> cluster.removeNode(name);
        }
        Node before = view.nodes().node(id);
        return () -> cluster.putNode(before);
    }
}
