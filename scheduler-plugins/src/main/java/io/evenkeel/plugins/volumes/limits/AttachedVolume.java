package io.evenkeel.plugins.volumes.limits;

import io.evenkeel.cluster.node.SparseCounts;

/** One volume of a CSI driver, and where it is: on the nodes of pods that have it, and where it is said to be attached. */
final class AttachedVolume {
    private final DriverLoad driver;
    private final SparseCounts.Writer pods = SparseCounts.create();
    private final SparseCounts.Writer attachments = SparseCounts.create();

    AttachedVolume(DriverLoad driver) {
        this.driver = driver;
    }

    SparseCounts pods() {
        return pods.counts();
    }

    SparseCounts attachments() {
        return attachments.counts();
    }

    /** So many more pods of the node have it. */
    void addPods(int node, int delta) {
        add(pods, node, delta);
    }

    /** A VolumeAttachment more, or less, says that it is attached to the node. */
    void addAttachment(int node, int delta) {
        add(attachments, node, delta);
    }

    private void add(SparseCounts.Writer counts, int node, int delta) {
        boolean was = isOn(node);
        counts.add(node, delta);
        driver.add(node, (isOn(node) ? 1 : 0) - (was ? 1 : 0));
    }

    private boolean isOn(int node) {
        return pods.counts().get(node) > 0 || attachments.counts().get(node) > 0;
    }

    boolean isNowhere() {
        return pods.counts().size() == 0 && attachments.counts().size() == 0;
    }
}
