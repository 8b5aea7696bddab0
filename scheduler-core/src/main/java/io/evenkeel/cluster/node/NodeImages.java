package io.evenkeel.cluster.node;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.model.ContainerImage;
import io.evenkeel.model.Node;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The images on each node, by each name of an image. Like the reference, an image keeps the size that was seen
 * first for its name until no node holds it any more, or the only one that does is heard of again.
 */
public final class NodeImages {

    /** An image under one of its names. Most are on few nodes: only images once on many nodes keep a set of all nodes. */
    public static final class Image {
        private static final int FEW = 16;
        private static final int[] NOWHERE = {};

        private long sizeBytes;
        private int[] few = NOWHERE;
        private @Nullable NodeSet many;
        private int nodeCount;

        private Image(long sizeBytes) {
            this.sizeBytes = sizeBytes;
        }

        public long sizeBytes() {
            return sizeBytes;
        }

        /** The nodes that hold it, as they are now. */
        public NodeSetView nodes() {
            return asSet();
        }

        private NodeSet asSet() {
            NodeSet nodes = new NodeSet();
            forEachNode(nodes::add);
            return nodes;
        }

        public void forEachNode(IntConsumer visitor) {
            if (many == null) {
                for (int node : few) {
                    visitor.accept(node);
                }
                return;
            }
            for (int node = many.first(); node >= 0; node = many.next(node + 1)) {
                visitor.accept(node);
            }
        }

        public int nodeCount() {
            return nodeCount;
        }

        private void add(int node) {
            if (isOn(node)) {
                return;
            }
            nodeCount++;
            if (many == null && nodeCount > FEW) {
                many = asSet();
                few = NOWHERE;
            }
            if (many == null) {
                few = Arrays.copyOf(few, nodeCount);
                few[nodeCount - 1] = node;
            } else {
                many.add(node);
            }
        }

        /** Whether it was on the node. */
        private boolean remove(int node) {
            if (!isOn(node)) {
                return false;
            }
            nodeCount--;
            if (many == null) {
                few = Arrays.stream(few).filter(other -> other != node).toArray();
            } else {
                many.remove(node);
            }
            return true;
        }

        private boolean isOn(int node) {
            if (many != null) {
                return many.contains(node);
            }
            for (int other : few) {
                if (other == node) {
                    return true;
                }
            }
            return false;
        }
    }

    private final NodeTable nodes;
    private final Map<String, Image> images = new ShrinkingMap<>();
    private final ArrayDeque<Map<String, Long>> sizesBeforeWhatIfs = new ArrayDeque<>();
    private long version;

    private NodeImages(NodeTable nodes) {
        this.nodes = nodes;
    }

    /** Starts without images; the caller is to change them. */
    public static Writer create(NodeTable nodes) {
        return new NodeImages(nodes).new Writer();
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

    /** Changes them; made with them, and not to be had from them. */
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

        @Override
        public void nodeUnchanged(int id) {
            renewSizes(nodes.node(id));
        }

        /** A size may have been seen first on a node that holds the image no more, so putting nodes back does not do. */
        @Override
        public Runnable whatIfBegins() {
            Map<String, Long> before = new HashMap<>();
            sizesBeforeWhatIfs.push(before);
            return () -> {
                sizesBeforeWhatIfs.pop();
                restoreSizes(before);
            };
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
                images.computeIfAbsent(name, absent -> new Image(image.sizeBytes()))
                        .add(id);
            }
        }
    }

    /** As if the node went and came: an image that it alone holds takes the size that the node gives it now. */
    private void renewSizes(Node node) {
        for (ContainerImage image : node.images().reversed()) {
            for (String name : image.names()) {
                Image held = images.get(name);
                if (held != null && held.nodeCount == 1 && held.sizeBytes != image.sizeBytes()) {
                    remember(name, held);
                    held.sizeBytes = image.sizeBytes();
                    version++;
                }
            }
        }
    }

    /** Remembers an image that the innermost what-if is about to change or to lose. */
    private void remember(String name, Image image) {
        if (!sizesBeforeWhatIfs.isEmpty()) {
            sizesBeforeWhatIfs.peek().putIfAbsent(name, image.sizeBytes);
        }
    }

    private void restoreSizes(Map<String, Long> sizes) {
        sizes.forEach((name, size) -> {
            Image held = images.get(name);
            if (held != null && held.sizeBytes != size) {
                held.sizeBytes = size;
                version++;
            }
        });
    }

    private void removeNode(int id, Node node) {
        version++;
        for (ContainerImage image : node.images()) {
            for (String name : image.names()) {
                Image held = images.get(name);
                if (held != null && held.remove(id) && held.nodeCount == 0) {
                    remember(name, held);
                    images.remove(name);
                }
            }
        }
    }
}
