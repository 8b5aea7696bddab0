package io.evenkeel.tools.simulate;

import io.evenkeel.model.Namespace;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.workload.Templates;
import io.evenkeel.schema.UnknownFields;
import io.evenkeel.tools.simulate.Arrival.Cause;
import io.evenkeel.tools.simulate.Expansions.Made;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * Manifests applied: objects that scheduling reads are put in, workloads come with their pods. A workload that is there
 * already is scaled where its pods stay the same, and else replaced at once.
 *
 * @param kinds that scheduling reads
 * @param replicas of workloads of these manifests that are to have other numbers of pods than they say
 */
record Applied(List<Manifest> manifests, Kinds kinds, Map<Workload, Integer> replicas) implements ClusterChange {
    /** Labels that controllers give. */
    private static final Set<String> OWN = Set.of(
            Templates.HASH,
            Templates.REVISION,
            "apps.kubernetes.io/pod-index",
            "statefulset.kubernetes.io/pod-name",
            "controller-uid",
            "batch.kubernetes.io/controller-uid");

    @Override
    public void apply(ChangedCluster cluster) {
        ObjectReader reader = new ObjectReader(kinds);
        Map<String, Integer> passedOver = new TreeMap<>();
        Expansions expansions = expansions(cluster, reader);
        for (Manifest manifest : manifests) {
            Optional<Kind<?>> kind = kinds.find(manifest.kind(), manifest.apiVersion());
            if (!Expansions.makesPods(manifest) && kind.isPresent()) {
                remarkFields(cluster, manifest);
                cluster.picture().put(expansions.read(inPlace(manifest, kind.get())));
            } else if (!Expansions.makesPods(manifest)) {
                passedOver.merge(manifest.kind(), 1, Integer::sum);
            }
        }
        Expansions all = expansions(cluster, reader);
        int pods = 0;
        int workloads = 0;
        for (Manifest manifest : manifests) {
            if (Expansions.makesPods(manifest)) {
                remarkFields(cluster, manifest);
                workloads++;
                pods += apply(cluster, manifest, all);
            }
        }
        passedOver.forEach((kind, count) -> cluster.remark(
                count + (count == 1 ? " object" : " objects") + " of kind " + kind + " without effect on scheduling"));
        remarkNamespaces(cluster);
        cluster.changed(manifests.size() + (manifests.size() == 1 ? " manifest" : " manifests") + " applied: "
                + workloads + (workloads == 1 ? " workload" : " workloads") + " with " + pods
                + (pods == 1 ? " pod" : " pods"));
    }

    private static Expansions expansions(ChangedCluster cluster, ObjectReader reader) {
        return new Expansions(
                reader,
                cluster.picture().all("PriorityClass", PriorityClass.class),
                cluster.picture().nodes(),
                cluster::remark);
    }

    private static Manifest inPlace(Manifest manifest, Kind<?> kind) {
        if (kind.namespaced()
                && manifest.tree().has("metadata")
                && !manifest.metadata().has("namespace")) {
            var tree = manifest.tree().deepCopy();
            tree.getAsJsonObject("metadata").addProperty("namespace", manifest.namespace());
            return new Manifest(manifest.source(), manifest.namespace(), tree);
        }
        return manifest;
    }

    /** How many pods there are of it. */
    private int apply(ChangedCluster cluster, Manifest manifest, Expansions expansions) {
        Workload workload = new Workload(manifest.kind(), manifest.namespaceNamed(), manifest.name());
        Integer asked = replicas.get(workload);
        Made made = expansions.expand(manifest, asked == null ? OptionalInt.empty() : OptionalInt.of(asked));
        List<Pod> there = Scaled.podsOf(cluster, made.workload());
        if (!there.isEmpty()
                && !made.pods().isEmpty()
                && areAlike(there.getFirst(), made.pods().getFirst())) {
            if (!workload.kind().equals(Workload.DAEMON_SET)) {
                new Scaled(workload, made.pods().size())
                        .to(cluster, there, made.pods().size());
            }
            cluster.remark(workload.title() + " is there already and stays as it is, with "
                    + made.pods().size() + " pods in place of " + there.size());
            return made.pods().size();
        }
        if (!there.isEmpty()) {
            cluster.go(there);
            there.forEach(old -> Scaled.tellOwner(cluster, old, 0));
            cluster.remark(workload.title() + " is there already with another template: its " + there.size()
                    + " pods go first; a rolling update goes step by step, and may end otherwise");
        }
        made.objects().forEach(cluster.picture()::put);
        Optional<String> before = Optional.empty();
        for (Pod pod : made.pods()) {
            Arrival arrival = Arrival.of(pod, made.workload(), Cause.NEW);
            cluster.comes(made.oneByOne() ? before.map(arrival::after).orElse(arrival) : arrival);
            before = Optional.of(pod.key());
        }
        return made.pods().size();
    }

    private static void remarkFields(ChangedCluster cluster, Manifest manifest) {
        UnknownFields.in(manifest.tree(), "")
                .forEach(unknown ->
                        cluster.remark(manifest.title() + ": " + unknown.path() + ": unknown field" + unknown.hint()));
    }

    private void remarkNamespaces(ChangedCluster cluster) {
        Set<String> known = new HashSet<>();
        cluster.picture()
                .all("Namespace", Namespace.class)
                .forEach(namespace -> known.add(namespace.meta().name()));
        if (known.isEmpty()) {
            return;
        }
        manifests.stream()
                .filter(Expansions::makesPods)
                .map(Manifest::namespaceNamed)
                .filter(namespace -> !known.contains(namespace))
                .distinct()
                .forEach(namespace -> cluster.remark("there is no namespace " + namespace
                        + ", and a server would refuse what is to be in it; here it is taken as given"));
    }

    /** Whether pods are of one template, as far as scheduling reads them. */
    private static boolean areAlike(Pod one, Pod other) {
        return labels(one).equals(labels(other)) && spec(one).equals(spec(other));
    }

    private static Labels labels(Pod pod) {
        return pod.labels().retain(key -> !OWN.contains(key));
    }

    /** Claims are a pod's own, and so are values of those labels that {@code matchLabelKeys} have become. */
    private static PodSpec spec(Pod pod) {
        List<TopologySpreadConstraint> spread =
                pod.spec().topologySpread().stream().map(Applied::withoutOwn).toList();
        PodSpec spec = PodBuilder.from(pod).topologySpread(spread).build().spec();
        return spec.withNodeName("").withVolumes(List.of(), List.of());
    }

    private static TopologySpreadConstraint withoutOwn(TopologySpreadConstraint constraint) {
        LabelSelector selector = constraint.labelSelector();
        return constraint.withSelector(new LabelSelector(
                selector.matchesNothing(),
                selector.requirements().stream()
                        .filter(requirement -> !OWN.contains(requirement.key()))
                        .toList()));
    }
}
