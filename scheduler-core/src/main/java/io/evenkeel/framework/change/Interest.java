package io.evenkeel.framework.change;

import io.evenkeel.cluster.counting.PodMatch;
import io.evenkeel.model.value.Labels;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which changes a hint may say yes to for a pod, so coarsely that the pod can be filed by it: of ten thousand pods that
 * wait for others, each change asks only about those for which it may matter.
 *
 * @param signs a change that bears none of them does not concern the pod
 */
public record Interest(Set<Sign> signs) {
    /** Any change of the wake-up's kinds may help. */
    public static final Interest ANY = new Interest(Set.of(Sign.CHANGE));

    public Interest {
        signs = Set.copyOf(signs);
    }

    /** In what becomes of the objects of these names, of kinds that only plugins read, or of controllers of pods. */
    public static Interest inObjects(String namespace, Collection<String> names) {
        return new Interest(
                names.stream().map(name -> Sign.ofName(namespace, name)).collect(Collectors.toSet()));
    }

    public static Builder inPods() {
        return new Builder();
    }

    /** Gathers the pods that may help by coming, going or being relabelled. */
    public static final class Builder {
        private final Set<Sign> signs = new HashSet<>();

        private Builder() {}

        /** In pods that are, or were, one of these. */
        public Builder selectedBy(PodMatch pods) {
            Sign.ofPods(pods, signs);
            return this;
        }

        /** In pods with required anti-affinity that kept out pods with these labels, whatever namespaces it means. */
        public Builder shunning(Labels labels) {
            Sign.ofShunned(labels, signs);
            return this;
        }

        public Interest build() {
            return new Interest(signs);
        }
    }
}
