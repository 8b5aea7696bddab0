package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.index.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.Differences;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The Services and controllers of pods, from which default spreading derives whom a pod is to be spread from. */
public final class Workloads {
    private final ObjectStore objects;
    private final Map<String, PivotIndex<Service>> servicesByNamespace = new HashMap<>();

    private Workloads(ObjectStore objects) {
        this.objects = objects;
    }

    /** None yet, in the hands of whoever is to change them. */
    public static Writer create(ObjectStore objects) {
        return new Workloads(objects).new Writer();
    }

    /**
     * The selectors of all Services that select the pod, and of the ReplicaSet, StatefulSet or ReplicationController
     * that controls it, all at once. The empty selector where there are none. A ReplicationController's selector, being
     * plain labels like a Service's, has the last word on its keys; the others' only add to what is required.
     */
    public LabelSelector selectorOfPeers(Pod pod) {
        Map<String, String> equalLabels = new TreeMap<>();
        PivotIndex<Service> candidates = servicesByNamespace.get(pod.namespace());
        if (candidates != null) {
            candidates.forEachCandidate(pod.labels(), service -> {
                if (pod.labels().hasAll(service.selector())) {
                    equalLabels.putAll(service.selector().asMap());
                }
            });
        }
        Optional<WorkloadOwner> owner = ownerOf(pod);
        if (owner.isEmpty()) {
            return LabelSelector.matchingLabels(equalLabels);
        }
        List<LabelRequirement> requirements = owner.get().selector().requirements();
        if (owner.get().kind() == WorkloadOwner.Kind.REPLICATION_CONTROLLER) {
            requirements.forEach(requirement ->
                    equalLabels.put(requirement.key(), requirement.values().getFirst()));
            return LabelSelector.matchingLabels(equalLabels);
        }
        return LabelSelector.matchingLabels(equalLabels).and(requirements);
    }

    /** What changes them: made with them, and not to be had from them. */
    public final class Writer implements ClusterIndex {
        private Writer() {}

        public Workloads workloads() {
            return Workloads.this;
        }

        @Override
        public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
            if (before.isPresent() && before.get() instanceof Service gone) {
                remove(gone);
            }
            if (after.isPresent() && after.get() instanceof Service service) {
                put(service);
            }
        }

        /** Nothing is counted here; whom a pod's peers are is compared with a naive answer where it is asked. */
        @Override
        public void audit(AuditFacts facts, Differences differences) {}
    }

    private void put(Service service) {
        if (service.selector().size() > 0) {
            servicesByNamespace
                    .computeIfAbsent(service.meta().namespace(), namespace -> new PivotIndex<>())
                    .add(service, LabelSelector.matchingLabels(service.selector()));
        }
    }

    private void remove(Service gone) {
        if (gone.selector().size() > 0) {
            servicesByNamespace.computeIfPresent(gone.meta().namespace(), (namespace, index) -> {
                index.remove(gone, LabelSelector.matchingLabels(gone.selector()));
                return index.isEmpty() ? null : index;
            });
        }
    }

    private Optional<WorkloadOwner> ownerOf(Pod pod) {
        if (pod.meta().controller().isEmpty()) {
            return Optional.empty();
        }
        OwnerReference reference = pod.meta().controller().get();
        for (WorkloadOwner.Kind kind : WorkloadOwner.Kind.values()) {
            if (kind.isReferredToBy(reference)) {
                return objects.find(kind.kindName(), pod.namespace() + "/" + reference.name())
                        .map(WorkloadOwner.class::cast);
            }
        }
        return Optional.empty();
    }
}
