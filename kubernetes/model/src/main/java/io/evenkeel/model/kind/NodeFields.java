package io.evenkeel.model.kind;

import io.evenkeel.model.ContainerImage;
import io.evenkeel.model.Node;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.value.NamedConstant;
import io.evenkeel.model.value.Quantity;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

final class NodeFields {
    private record Spec(boolean unschedulable, List<Taint> taints) {}

    private record Status(
            Map<String, Quantity> allocatable, List<ContainerImage> images, Set<String> declaredFeatures) {}

    private static final Message<ContainerImage> IMAGE = Message.of(fields -> {
        var names = fields.strings("names", 1).from(ContainerImage::names);
        var sizeBytes = fields.int64("sizeBytes", 2, 0).from(ContainerImage::sizeBytes);
        return read -> new ContainerImage(read.get(names), read.get(sizeBytes));
    });

    private static final Message<Spec> SPEC = Message.of(fields -> {
        var unschedulable = fields.bool("unschedulable", 4, false).from(Spec::unschedulable);
        var taints = fields.list("taints", 5, TaintFields.TAINT).from(Spec::taints);
        return read -> new Spec(read.get(unschedulable), read.get(taints));
    });

    private static final Message<Status> STATUS = Message.of(fields -> {
        var allocatable = fields.resources("allocatable", 2).from(Status::allocatable);
        var images = fields.list("images", 8, IMAGE).from(Status::images);
        var declaredFeatures =
                fields.strings("declaredFeatures", 14).from((Status status) -> List.copyOf(status.declaredFeatures()));
        return read -> new Status(read.get(allocatable), read.get(images), sorted(read.get(declaredFeatures)));
    });

    static final Message<Node> NODE = Message.ofObject(fields -> {
        var spec = fields.message("spec", 2, SPEC, new Spec(false, List.of()))
                .from((Node node) -> new Spec(node.unschedulable(), node.taints()));
        var status = fields.message("status", 3, STATUS, new Status(Map.of(), List.of(), Set.of()))
                .from((Node node) -> new Status(node.allocatable(), node.images(), node.declaredFeatures()));
        return read -> new Node(
                read.get(Metadata.FIELD),
                read.get(spec).unschedulable(),
                read.get(spec).taints(),
                read.get(status).allocatable(),
                read.get(status).images(),
                read.get(status).declaredFeatures());
    });

    private NodeFields() {}

    private static Set<String> sorted(List<String> names) {
        return names.isEmpty() ? Set.of() : Collections.unmodifiableSet(new TreeSet<>(names));
    }

    static final class TaintFields {
        private static final Map<String, TaintEffect> EFFECTS = NamedConstant.byName(TaintEffect.class);

        static final Message<Taint> TAINT = Message.of(fields -> {
            var key = fields.string("key", 1).from(Taint::key);
            var value = fields.string("value", 2).from(Taint::value);
            var effect = fields.constant("effect", 3, EFFECTS).from(Taint::effect);
            return read -> new Taint(read.get(key), read.get(value), read.get(effect));
        });

        static final Message<Toleration> TOLERATION = Message.of(fields -> {
            var key = fields.string("key", 1).from(Toleration::key);
            var operator = fields.constant(
                            "operator", 2, NamedConstant.byName(Toleration.Operator.class), Toleration.Operator.EQUAL)
                    .from(Toleration::operator);
            var value = fields.string("value", 3).from(Toleration::value);
            var effect = fields.optionalConstant("effect", 4, EFFECTS).from(Toleration::effect);
            return read -> new Toleration(read.get(key), read.get(operator), read.get(value), read.get(effect));
        });

        private TaintFields() {}
    }
}
