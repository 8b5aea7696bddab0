package com.example;

import io.evenkeel.api.Ledger;
import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.Map;

/** Counts licences: how many pods on a node hold one. */
final class LicenceLedger implements Ledger {
    private final Map<String, Integer> held = new HashMap<>();

    int heldOn(String node) {
        return held.getOrDefault(node, 0);
    }

    @Override
    public void podPlaced(Pod pod, String node) {
        add(pod, node, 1);
    }

    @Override
    public void podRemoved(Pod pod, String node) {
        add(pod, node, -1);
    }

    @Override
    public Object counts() {
        return held;
    }

    private void add(Pod pod, String node, int change) {
        if (pod.labels().has("licence", "yes")) {
            held.merge(node, change, (before, more) -> before + more == 0 ? null : before + more);
        }
    }
}
