package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.SparseCounts;
import io.evenkeel.model.storage.VolumeSource.Csi;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** The volumes that are somewhere, and what they come to on each node by driver. */
final class AttachedVolumes {
    static final SparseCounts NOWHERE = SparseCounts.create().counts();

    private final Map<Csi, AttachedVolume> volumes = new HashMap<>();
    private final Map<String, DriverLoad> drivers = new HashMap<>();

    /** How many pods of each node have the volume. */
    SparseCounts podsWith(Csi volume) {
        AttachedVolume known = volumes.get(volume);
        return known == null ? NOWHERE : known.pods();
    }

    /** Where VolumeAttachments say that it is. */
    SparseCounts attachmentsOf(Csi volume) {
        AttachedVolume known = volumes.get(volume);
        return known == null ? NOWHERE : known.attachments();
    }

    DriverLoad load(String driver) {
        return drivers.getOrDefault(driver, UNKNOWN);
    }

    /** The load of an unknown driver: no node has it, or a limit. */
    private static final DriverLoad UNKNOWN = new DriverLoad();

    void addPods(Csi volume, int node, int delta) {
        AttachedVolume known = volume(volume);
        known.add(known.pods, node, delta);
        dropUnused(volume, known);
    }

    void addAttachment(Csi volume, int node, int delta) {
        AttachedVolume known = volume(volume);
        known.add(known.attachments, node, delta);
        dropUnused(volume, known);
    }

    void install(String driver, int node, OptionalInt limit) {
        drivers.computeIfAbsent(driver, _ -> new DriverLoad()).install(node, true, limit);
    }

    void uninstall(String driver, int node) {
        DriverLoad load = load(driver);
        load.install(node, false, OptionalInt.empty());
        dropUnused(driver, load);
    }

    private AttachedVolume volume(Csi volume) {
        return volumes.computeIfAbsent(
                volume, _ -> new AttachedVolume(drivers.computeIfAbsent(volume.driver(), _ -> new DriverLoad())));
    }

    private void dropUnused(Csi volume, AttachedVolume known) {
        if (known.isNowhere()) {
            volumes.remove(volume);
            dropUnused(volume.driver(), load(volume.driver()));
        }
    }

    private void dropUnused(String driver, DriverLoad load) {
        if (load.isUnused()) {
            drivers.remove(driver);
        }
    }

    Map<Csi, AttachedVolume> volumes() {
        return volumes;
    }

    Map<String, DriverLoad> drivers() {
        return drivers;
    }

    /** One volume of a CSI driver, and where it is: on the nodes of pods that have it, and where it is said to be attached. */
    static final class AttachedVolume {
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

        /** So many more pods of the node have it, or VolumeAttachments say that it is attached to it. */
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

    /**
     * How many volumes of one CSI driver each node has attached, and can have; and which nodes cannot take one more, two more and
     * so on, so that a pod with a few volumes has no node to look at.
     */
    static final class DriverLoad {
        /** Pods with more volumes of a driver are rare, and look at each node. */
        private static final int FEW = 4;

        private final SparseCounts.Writer attached = SparseCounts.create();
        private final NodeSet installed = new NodeSet();
        private final NodeSet limited = new NodeSet();
        private final NodeSet[] withoutRoom = new NodeSet[FEW + 1];
        private final NodeSet withoutMuchRoom = new NodeSet();
        private int[] limits = {};

        DriverLoad() {
            Arrays.setAll(withoutRoom, _ -> new NodeSet());
        }

        int attachedTo(int node) {
            return attached.counts().get(node);
        }

        SparseCounts attached() {
            return attached.counts();
        }

        void add(int node, int delta) {
            if (delta != 0) {
                attached.add(node, delta);
                reconsider(node);
            }
        }

        /** The nodes that have the driver. */
        NodeSetView installed() {
            return installed;
        }

        /** Those that say how many they can have. */
        NodeSetView limited() {
            return limited;
        }

        /** To be asked of those only. */
        int limitOf(int node) {
            return limits[node];
        }

        private void install(int node, boolean isInstalled, OptionalInt limit) {
            installed.set(node, isInstalled);
            limited.set(node, limit.isPresent());
            if (limit.isPresent()) {
                if (node >= limits.length) {
                    limits = Arrays.copyOf(limits, Math.max(node + 1, limits.length * 2));
                }
                limits[node] = limit.getAsInt();
            }
            reconsider(node);
        }

        private void reconsider(int node) {
            for (int more = 1; more <= FEW; more++) {
                withoutRoom[more].set(node, exceeds(node, more));
            }
        }

        /** Whether so many more are too many. A node that has too many already takes pods that bring none. */
        boolean exceeds(int node, int more) {
            return exceeds(node, attachedTo(node), more);
        }

        /** Whether they are too many where the node had so many. */
        boolean exceeds(int node, int attachedThen, int more) {
            return more > 0 && limited.contains(node) && attachedThen + more > limits[node];
        }

        /** The nodes that cannot take so many more, valid until the next call. */
        NodeSetView withoutRoomFor(int more) {
            if (more <= FEW) {
                return withoutRoom[more];
            }
            withoutMuchRoom.clear();
            for (int node = limited.first(); node >= 0; node = limited.next(node + 1)) {
                withoutMuchRoom.set(node, exceeds(node, more));
            }
            return withoutMuchRoom;
        }

        boolean isUnused() {
            return installed.isEmpty() && attached.counts().size() == 0;
        }
    }
}
