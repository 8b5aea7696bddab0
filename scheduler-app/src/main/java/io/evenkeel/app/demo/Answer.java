package io.evenkeel.app.demo;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.Optional;

/**
 * What the scheduler decided for a pod.
 *
 * @param node where the pod went, if anywhere
 * @param message the FitError's text where the pod went nowhere
 * @param why who turned away which nodes, and what set the winner apart
 */
record Answer(Pod pod, Optional<Node> node, String message, String why) {
    boolean isPlaced() {
        return node.isPresent();
    }

    boolean isOn(String nodeName) {
        return node.filter(found -> found.name().equals(nodeName)).isPresent();
    }

    boolean isIn(String zone) {
        return node.filter(found -> DemoObjects.zoneOf(found).equals(zone)).isPresent();
    }

    String sentence() {
        return node.map(found -> pod.name() + " → " + found.name() + " in " + DemoObjects.zoneOf(found))
                .orElseGet(() -> pod.name() + " waits: " + message);
    }
}
