package io.evenkeel.kube.extender;

import io.evenkeel.model.Pod;
import java.util.List;

/**
 * The pods that would have to go from a node.
 *
 * @param violations how many of them their disruption budgets protect
 */
public record Victims(List<Pod> pods, long violations) {
    public Victims {
        pods = List.copyOf(pods);
    }
}
