package io.evenkeel.world.plugin;

import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the plugin of one process holds on nodes for pods, and for which pods no more. */
public final class Reserved {
    private final Map<String, String> nodes = new TreeMap<>();
    private List<GivenUp> givenUp = new ArrayList<>();

    /** A pod that had been decided, and the node that it did not get. */
    public record GivenUp(Pod pod, String node) {}

    void put(Pod pod, String node) {
        nodes.put(pod.meta().uid(), node);
    }

    void remove(Pod pod, String node) {
        nodes.remove(pod.meta().uid());
        givenUp.add(new GivenUp(pod, node));
    }

    /** The nodes on which something is held, by the pods' UIDs, now and later. */
    public Map<String, String> nodes() {
        return Collections.unmodifiableMap(nodes);
    }

    /** The pods that did not get their nodes since this was asked before. */
    public List<GivenUp> takeGivenUp() {
        List<GivenUp> taken = givenUp;
        givenUp = new ArrayList<>();
        return taken;
    }
}
