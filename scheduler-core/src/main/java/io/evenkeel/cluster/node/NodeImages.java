package io.evenkeel.cluster.node;

import io.evenkeel.cluster.index.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.Differences;
import io.evenkeel.model.ContainerImage;
import io.evenkeel.model.Node;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

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

    private NodeImages() {}

    /** No images, in the hands of whoever is to change them. */
    public static Writer create() {
        return new NodeImages().new Writer();
    }

    public Optional<Image> find(String name) {
        return Optional.ofNullable(images.get(name));
    }

    /** Changes whenever a node gains or loses an image, comes or goes: an image's worth depends on all nodes. */
    public long version() {
        return version;
    }

    Map<String, Image> all() {
        return images;
    }

    /** What changes them: made with them, and not to be had from them. */
    public final class Writer implements ClusterIndex {
        private Writer() {}

        public NodeImages images() {
            return NodeImages.this;
        }

        @Override
        public void nodeChanged(int id, Optional<Node> before, Optional<Node> after) {
            if (before.isPresent()
                    && after.isPresent()
                    && before.get().images().equals(after.get().images())) {
                renewSizes(after.get());
                return;
            }
            before.ifPresent(node -> removeNode(id, node));
            after.ifPresent(node -> addNode(id, node));
        }

        /** The sizes that the names of the node's images have now, for {@link #restoreSizes}. */
        public Map<String, Long> sizesOf(Node node) {
            Map<String, Long> sizes = new HashMap<>();
            for (ContainerImage image : node.images()) {
                for (String name : image.names()) {
                    find(name).ifPresent(held -> sizes.put(name, held.sizeBytes));
                }
            }
            return sizes;
        }

        /** A size may have been seen first on a node that holds the image no more, so putting nodes back does not do. */
        public void restoreSizes(Map<String, Long> sizes) {
            version++;
            sizes.forEach((name, size) -> find(name).ifPresent(held -> held.sizeBytes = size));
        }

        /** But for the sizes, which depend on who was seen first. */
        @Override
        public void audit(AuditFacts facts, Differences differences) {
            Map<String, NodeSet> recounted = new HashMap<>();
            facts.nodes().forEach((id, node) -> {
                for (ContainerImage image : node.images()) {
                    for (String name : image.names()) {
                        recounted.computeIfAbsent(name, absent -> new NodeSet()).add(id);
                    }
                }
            });
            differences.compare(() -> "images", images.keySet(), recounted.keySet());
            images.forEach((name, image) -> {
                NodeSet holders = recounted.getOrDefault(name, new NodeSet());
                differences.compare(() -> "nodes with image " + name, image.nodes(), holders);
                differences.compare(() -> "number of nodes with image " + name, image.nodeCount(), holders.size());
            });
        }

        @Override
        public void describe(AuditFacts facts, Consumer<String> line) {
            images.forEach((name, image) ->
                    line.accept("image " + name + " of " + image.sizeBytes() + " bytes on " + image.nodes()));
        }
    }

    private void addNode(int id, Node node) {
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
    private void renewSizes(Node node) {
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

    private void removeNode(int id, Node node) {
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
}
