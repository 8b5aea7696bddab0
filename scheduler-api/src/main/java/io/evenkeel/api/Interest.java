package io.evenkeel.api;

import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which changes a hint may say yes to for a pod, so coarsely that the pod can be filed by it: of ten thousand pods that
 * wait for others, each change asks only about those for which it may matter.
 *
 * @param parts a change that is none of these does not concern the pod
 * @since 0.1
 */
public record Interest(Set<Part> parts) {
    /** Any change of the wake-up's kinds may help. */
    public static final Interest ANY = new Interest(Set.of(new Part.Anything()));

    public Interest {
        parts = Set.copyOf(parts);
    }

    /** In what becomes of the objects of these names, of kinds that only plugins read, or of controllers of pods. */
    public static Interest inObjects(String namespace, Collection<String> names) {
        return new Interest(
                names.stream().map(name -> new Part.Named(namespace, name)).collect(Collectors.toSet()));
    }

    public static Builder inPods() {
        return new Builder();
    }

    /** A sort of change that may help. */
    public sealed interface Part {
        /** Every change of the wake-up's kinds. */
        record Anything() implements Part {}

        /** A change of the object of this name. */
        record Named(String namespace, String name) implements Part {}

        /**
         * A change of a pod that is, or was, selected.
         *
         * @param namespaces by name
         * @param ofNamespaces by label, beside those named
         */
        record Selected(List<String> namespaces, LabelSelector ofNamespaces, LabelSelector pods) implements Part {}

        /** A change of a pod with required anti-affinity that kept out pods with these labels. */
        record Shunning(Labels labels) implements Part {}
    }

    /** Gathers the pods that may help by coming, going or being relabelled. */
    public static final class Builder {
        private final Set<Part> parts = new HashSet<>();

        private Builder() {}

        /** In pods of a namespace that are, or were, selected by their labels. */
        public Builder selectedBy(String namespace, LabelSelector pods) {
            return selectedBy(List.of(namespace), LabelSelector.NOTHING, pods);
        }

        /** The same in the namespaces that are named, and in those selected by their labels. */
        public Builder selectedBy(List<String> namespaces, LabelSelector ofNamespaces, LabelSelector pods) {
            parts.add(new Part.Selected(List.copyOf(namespaces), ofNamespaces, pods));
            return this;
        }

        /** In pods with required anti-affinity that kept out pods with these labels, whatever namespaces it means. */
        public Builder shunning(Labels labels) {
            parts.add(new Part.Shunning(labels));
            return this;
        }

        public Interest build() {
            return new Interest(parts);
        }
    }
}
