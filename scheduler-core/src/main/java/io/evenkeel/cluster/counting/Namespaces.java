package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.value.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The labels of the namespaces that exist. */
public final class Namespaces {
    private final Map<String, Labels> labels = new HashMap<>();

    private Namespaces() {}

    /** Starts with none; the caller is to change them. */
    public static Writer create() {
        return new Namespaces().new Writer();
    }

    /** Empty where there is no such namespace. */
    public Optional<Labels> labelsOf(String namespace) {
        return Optional.ofNullable(labels.get(namespace));
    }

    public Set<String> names() {
        return Set.copyOf(labels.keySet());
    }

    /** Changes them; made with them, and not to be had from them. */
    public final class Writer implements ClusterIndex {
        private Writer() {}

        public Namespaces namespaces() {
            return Namespaces.this;
        }

        @Override
        public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
            if (after.isPresent() && after.get() instanceof Namespace namespace) {
                labels.put(namespace.meta().name(), namespace.meta().labels());
            } else if (before.isPresent() && before.get() instanceof Namespace gone) {
                labels.remove(gone.meta().name());
            }
        }

        /** Nothing is counted here. */
        @Override
        public void audit(AuditFacts facts, Differences differences) {}

        @Override
        public void describe(AuditFacts facts, Consumer<String> line) {
            labels.forEach((name, kept) -> line.accept("namespace " + name + "=" + kept));
        }
    }
}
