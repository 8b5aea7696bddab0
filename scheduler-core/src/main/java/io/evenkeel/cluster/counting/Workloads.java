package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.counting.SelectorIndex.MentionedKeys;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The Services and controllers of pods, from which default spreading derives whom a pod is to be spread from. */
public final class Workloads {
    private static final int MOST_REMEMBERED = 1024;

    /** Whoever has more labels, longer texts or a controller with more is looked up each time: that stays no longer than it does. */
    private static final int MOST_PARTS = 32;

    private static final int LONGEST = 512;

    private final ObjectStore objects;
    private final Map<String, Services> servicesByNamespace = new HashMap<>();

    /** Until a Service or controller changes: the pods that come one after the other are of few kinds. */
    private final Map<Asked, LabelSelector> remembered = new HashMap<>();

    /** All of a pod that its peers depend on. */
    private record Asked(String namespace, Labels labels, Optional<OwnerReference> controller) {

        boolean isLarge() {
            return labels.size() > MOST_PARTS
                    || namespace.length()
                                    + (controller.isPresent() ? controller.get().length() : 0)
                            > LONGEST;
        }
    }

    /** The Services of a namespace, and the label keys that they select by: a pod's name in its labels is none of them. */
    private static final class Services {
        final FilingLabelIndex<Service> filed = new FilingLabelIndex<>();
        final MentionedKeys keys = new MentionedKeys();

        void add(Service service) {
            LabelSelector selector = LabelSelector.matchingLabels(service.selector());
            filed.add(service, selector);
            keys.add(selector);
        }

        void remove(Service gone) {
            LabelSelector selector = LabelSelector.matchingLabels(gone.selector());
            filed.remove(gone, selector);
            keys.remove(selector);
        }
    }

    private Workloads(ObjectStore objects) {
        this.objects = objects;
    }

    /** Starts with none; the caller is to change them. */
    public static Writer create(ObjectStore objects) {
        return new Workloads(objects).new Writer();
    }

    /**
     * The selectors of all Services that select the pod, and of the ReplicaSet, StatefulSet or ReplicationController
     * that controls it, all at once. The empty selector where there are none. A ReplicationController's selector, being
     * plain labels like a Service's, has the last word on its keys; the others' only add to what is required.
     */
    public LabelSelector selectorOfPeers(Pod pod) {
        Services services = servicesByNamespace.get(pod.namespace());
        Optional<OwnerReference> controller = pod.meta().controller();
        if (services == null && controller.isEmpty()) {
            return LabelSelector.EVERYTHING;
        }
        Labels labels = services == null ? Labels.EMPTY : services.keys.among(pod.labels());
        // Two keys alike: the first does not outlive the look-up, so compiled code makes none.
        LabelSelector known = remembered.get(new Asked(pod.namespace(), labels, controller));
        return known != null ? known : findAndRemember(new Asked(pod.namespace(), labels, controller));
    }

    private LabelSelector findAndRemember(Asked asked) {
        LabelSelector found = find(asked);
        if (!asked.isLarge() && found.requirements().size() <= MOST_PARTS) {
            if (remembered.size() == MOST_REMEMBERED) {
                remembered.clear();
            }
            remembered.put(asked, found);
        }
        return found;
    }

    private LabelSelector find(Asked asked) {
        Map<String, String> equalLabels = new TreeMap<>();
        Services services = servicesByNamespace.get(asked.namespace());
        if (services != null) {
            services.filed.forEachCandidate(asked.labels(), service -> {
                if (asked.labels().hasAll(service.selector())) {
                    equalLabels.putAll(service.selector().asMap());
                }
            });
        }
        Optional<WorkloadOwner> owner = ownerOf(asked);
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

    /** Changes them; made with them, and not to be had from them. */
    public final class Writer implements ClusterIndex {
        private Writer() {}

        public Workloads workloads() {
            return Workloads.this;
        }

        @Override
        public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
            if (decidesPeers(before) || decidesPeers(after)) {
                remembered.clear();
            }
            if (before.isPresent() && before.get() instanceof Service gone) {
                remove(gone);
            }
            if (after.isPresent() && after.get() instanceof Service service) {
                put(service);
            }
        }

        /** Whether an answer is right is compared with a naive one where it is asked; here, whether it still is. */
        @Override
        public void audit(AuditFacts facts, Differences differences) {
            remembered.forEach((asked, known) -> differences.compare(() -> "peers of " + asked, known, find(asked)));
        }
    }

    private static boolean decidesPeers(Optional<KubernetesObject> object) {
        return object.isPresent() && (object.get() instanceof Service || object.get() instanceof WorkloadOwner);
    }

    private void put(Service service) {
        if (service.selector().size() > 0) {
            servicesByNamespace
                    .computeIfAbsent(service.meta().namespace(), _ -> new Services())
                    .add(service);
        }
    }

    private void remove(Service gone) {
        if (gone.selector().size() > 0) {
            servicesByNamespace.computeIfPresent(gone.meta().namespace(), (_, services) -> {
                services.remove(gone);
                return services.filed.isEmpty() ? null : services;
            });
        }
    }

    private Optional<WorkloadOwner> ownerOf(Asked asked) {
        if (asked.controller().isEmpty()) {
            return Optional.empty();
        }
        OwnerReference reference = asked.controller().get();
        for (WorkloadOwner.Kind kind : WorkloadOwner.Kind.values()) {
            if (kind.isReferredToBy(reference)) {
                return objects.find(kind.kindName(), asked.namespace() + "/" + reference.name())
                        .map(WorkloadOwner.class::cast);
            }
        }
        return Optional.empty();
    }
}
