package io.evenkeel.cluster;

import io.evenkeel.model.ContainerImage;
import io.evenkeel.model.Node;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which nodes hold which images, by each name of an image. Like the reference, an image keeps the size that was seen
 * first for its name until no node holds it any more, or the only one that does is heard of again.
 */
public final class NodeImages {

    /** An image under one of its names. */
    public static final class Image {
        private long sizeBytes;
        private final NodeSet nodes = new NodeSet();
        private int nodeCount;

        private Image(long sizeBytes) {
            this.sizeBytes = sizeBytes;
        }

        public long sizeBytes() {
            return sizeBytes;
        }

        public NodeSet nodes() {
            return nodes;
        }

        public int nodeCount() {
            return nodeCount;
        }
    }

    private final Map<String, Image> images = new HashMap<>();
    private long version;

    public Optional<Image> find(String name) {
        return Optional.ofNullable(images.get(name));
    }

    /** Changes whenever a node gains or loses an image, comes or goes: an image's worth depends on all nodes. */
    public long version() {
        return version;
    }

    void addNode(int id, Node node) {
        version++;
        for (ContainerImage image : node.images()) {
            for (String name : image.names()) {
                Image held = images.computeIfAbsent(name, absent -> new Image(image.sizeBytes()));
                if (!held.nodes.contains(id)) {
                    held.nodes.add(id);
                    held.nodeCount++;
                }
            }
        }
    }

    /** As if the node went and came: an image that it alone holds takes the size that the node gives it now. */
    void renewSizes(Node node) {
        for (ContainerImage image : node.images().reversed()) {
            for (String name : image.names()) {
                Image held = images.get(name);
                if (held != null && held.nodeCount == 1 && held.sizeBytes != image.sizeBytes()) {
                    held.sizeBytes = image.sizeBytes();
                    version++;
                }
            }
        }
    }

    void removeNode(int id, Node node) {
        version++;
        for (ContainerImage image : node.images()) {
            for (String name : image.names()) {
                Image held = images.get(name);
                if (held != null && held.nodes.contains(id)) {
                    held.nodes.remove(id);
                    if (--held.nodeCount == 0) {
                        images.remove(name);
                    }
                }
            }
        }
    }

    /** The sizes that the names of the node's images have now, for {@link #restoreSizes}. */
    Map<String, Long> sizesOf(Node node) {
        Map<String, Long> sizes = new HashMap<>();
        for (ContainerImage image : node.images()) {
            for (String name : image.names()) {
                find(name).ifPresent(held -> sizes.put(name, held.sizeBytes));
            }
        }
        return sizes;
    }

    /** A size may have been seen first on a node that holds the image no more, so putting nodes back does not do. */
    void restoreSizes(Map<String, Long> sizes) {
        version++;
        sizes.forEach((name, size) -> find(name).ifPresent(held -> held.sizeBytes = size));
    }

    Map<String, Image> all() {
        return images;
    }
}
