package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.VolumeAttachment;
import io.evenkeel.model.storage.VolumeSource.Csi;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The VolumeAttachments, and which volume each has been counted as; none is counted for nodes that are not there. */
final class Attachments {
    private final KnownVolumes known;
    private final NodeTable nodes;
    private final AttachedVolumes attached;
    private final Map<String, Entry> byName = new HashMap<>();
    private final Map<String, Map<String, Entry>> byNode = new HashMap<>();
    private final Map<String, Map<String, Entry>> byVolume = new HashMap<>();

    private static final class Entry {
        final VolumeAttachment attachment;
        Optional<Csi> countedAs = Optional.empty();
        int countedOn;

        Entry(VolumeAttachment attachment) {
            this.attachment = attachment;
        }
    }

    Attachments(KnownVolumes known, NodeTable nodes, AttachedVolumes attached) {
        this.known = known;
        this.nodes = nodes;
        this.attached = attached;
    }

    /** @param now empty where it is gone */
    void change(VolumeAttachment attachment, Optional<VolumeAttachment> now) {
        String name = attachment.meta().name();
        Optional.ofNullable(byName.remove(name)).ifPresent(before -> {
            count(before, -1, false);
            remove(byNode, before.attachment.node(), name);
            remove(byVolume, before.attachment.volumeName(), name);
        });
        now.ifPresent(after -> {
            Entry entry = new Entry(after);
            byName.put(name, entry);
            byNode.computeIfAbsent(after.node(), _ -> new LinkedHashMap<>()).put(name, entry);
            byVolume.computeIfAbsent(after.volumeName(), _ -> new LinkedHashMap<>())
                    .put(name, entry);
            count(entry, nodes.findPresent(after.node()), true);
        });
    }

    private static void remove(Map<String, Map<String, Entry>> map, String key, String name) {
        map.computeIfPresent(key, (_, entries) -> {
            entries.remove(name);
            return entries.isEmpty() ? null : entries;
        });
    }

    void reconsiderAllOf(PersistentVolume volume) {
        byVolume.getOrDefault(volume.name(), Map.of()).values().forEach(entry -> {
            count(entry, -1, false);
            count(entry, nodes.findPresent(entry.attachment.node()), true);
        });
    }

    void nodeChanged(String name, int node, boolean isThere) {
        byNode.getOrDefault(name, Map.of()).values().forEach(entry -> count(entry, node, isThere));
    }

    /** Counts it on this node, or no longer where it is counted. */
    private void count(Entry entry, int node, boolean counts) {
        entry.countedAs.ifPresent(csi -> attached.addAttachment(csi, entry.countedOn, -1));
        entry.countedAs = counts && node >= 0 ? volumeOf(entry.attachment) : Optional.empty();
        entry.countedOn = node;
        entry.countedAs.ifPresent(csi -> attached.addAttachment(csi, node, 1));
    }

    /** The attacher goes by what it attaches, whichever driver the volume itself names. */
    private Optional<Csi> volumeOf(VolumeAttachment attachment) {
        if (attachment.attacher().isEmpty() || attachment.volumeName().isEmpty()) {
            return Optional.empty();
        }
        return known.volume(attachment.volumeName())
                .map(PersistentVolume::source)
                .filter(Csi.class::isInstance)
                .map(source -> new Csi(attachment.attacher(), ((Csi) source).handle()));
    }

    /** Counts again the volumes that are attached to the node. */
    List<Csi> recounted(String node) {
        List<Csi> all = new ArrayList<>();
        byNode.getOrDefault(node, Map.of())
                .values()
                .forEach(entry -> volumeOf(entry.attachment).ifPresent(all::add));
        return all;
    }
}
