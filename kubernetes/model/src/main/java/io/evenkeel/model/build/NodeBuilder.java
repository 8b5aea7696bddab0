package io.evenkeel.model.build;

import io.evenkeel.model.ContainerImage;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.value.ResourceList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Builds nodes. Labels are exactly as asked for: not even the hostname label is added unasked. */
public final class NodeBuilder extends ObjectMetaBuilder<NodeBuilder> {
    private static final String ZONE_LABEL = "topology.kubernetes.io/zone";

    private boolean unschedulable;
    private final List<Taint> taints = new ArrayList<>();
    private final Map<String, Quantity> allocatable = new TreeMap<>();
    private final List<ContainerImage> images = new ArrayList<>();
    private final Set<String> declaredFeatures = new TreeSet<>();

    private NodeBuilder(ObjectMeta meta) {
        super(meta);
    }

    public static NodeBuilder node(String name) {
        return new NodeBuilder(ObjectMeta.named("", name));
    }

    public static NodeBuilder from(Node node) {
        NodeBuilder builder = new NodeBuilder(node.meta()).unschedulable(node.unschedulable());
        builder.taints.addAll(node.taints());
        builder.images.addAll(node.images());
        return builder.allocatable(node.allocatable()).declaredFeatures(node.declaredFeatures());
    }

    /**
     * One more node like another, under a name that is free: with its labels, amounts and taints, and a host name of its own. It comes without cordon, the
     * taints of a node that is not well, and the images that the other has pulled.
     */
    public static NodeBuilder copy(Node model, Predicate<String> isTaken) {
        String name = model.name() + "-copy";
        while (isTaken.test(name)) {
            name += "-copy";
        }
        return like(model, name);
    }

    /** Starts from a node like the model, under a given name. */
    public static NodeBuilder like(Node model, String name) {
        NodeBuilder another = node(name)
                .labels(model.labels())
                .allocatable(model.allocatable())
                .declaredFeatures(model.declaredFeatures());
        model.taints().stream().filter(taint -> !taint.isOfCondition()).forEach(another::taint);
        return model.labels().has(Node.HOSTNAME) ? another.hostname(name) : another;
    }

    @Override
    NodeBuilder self() {
        return this;
    }

    /** Sets the label {@code topology.kubernetes.io/zone}. */
    public NodeBuilder zone(String zone) {
        return label(ZONE_LABEL, zone);
    }

    /** Sets the label {@code kubernetes.io/hostname}. */
    public NodeBuilder hostname(String hostname) {
        return label(Node.HOSTNAME, hostname);
    }

    public NodeBuilder unschedulable(boolean nowUnschedulable) {
        unschedulable = nowUnschedulable;
        return this;
    }

    /** Brings the taint along as the node controller does. */
    public NodeBuilder cordoned() {
        taints.removeIf(Taint::isOfCordon);
        return unschedulable(true).taint(Taint.CORDON);
    }

    /** Takes the taint along as the node controller does. */
    public NodeBuilder uncordoned() {
        taints.removeIf(Taint::isOfCordon);
        return unschedulable(false);
    }

    public NodeBuilder taint(String key, String value, TaintEffect effect) {
        return taint(new Taint(key, value, effect));
    }

    public NodeBuilder taint(Taint taint) {
        taints.add(taint);
        return this;
    }

    public NodeBuilder withoutTaint(String key) {
        taints.removeIf(taint -> taint.key().equals(key));
        return this;
    }

    /** Takes away one taint, by all that it says. */
    public NodeBuilder withoutTaint(Taint taint) {
        taints.remove(taint);
        return this;
    }

    /** Adds to what is there; alternating resource names and quantities. */
    public NodeBuilder allocatable(String... namesAndQuantities) {
        return allocatable(ResourceList.of(namesAndQuantities));
    }

    /** Adds to what is there. */
    public NodeBuilder allocatable(Map<String, Quantity> amounts) {
        allocatable.putAll(amounts);
        return this;
    }

    public NodeBuilder image(long sizeBytes, String... names) {
        return image(new ContainerImage(List.of(names), sizeBytes));
    }

    public NodeBuilder image(ContainerImage image) {
        images.add(image);
        return this;
    }

    /** Adds to what is there. */
    public NodeBuilder declaredFeatures(Collection<String> features) {
        declaredFeatures.addAll(features);
        return this;
    }

    public Node build() {
        return new Node(
                buildMeta(),
                unschedulable,
                List.copyOf(taints),
                ResourceList.copyOf(allocatable),
                List.copyOf(images),
                declaredFeatures.isEmpty() ? Set.of() : Collections.unmodifiableSet(new TreeSet<>(declaredFeatures)));
    }
}
