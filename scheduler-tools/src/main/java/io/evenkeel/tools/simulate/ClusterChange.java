package io.evenkeel.tools.simulate;

import io.evenkeel.framework.why.CopiedDevices;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.workload.DeletionOrder;
import io.evenkeel.model.workload.Templates;
import io.evenkeel.problem.NearestName;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.schema.Schema.UnknownFields;
import io.evenkeel.tools.simulate.Arrival.Cause;
import io.evenkeel.tools.simulate.ChangedCluster.Owners;
import io.evenkeel.tools.simulate.Expansions.Made;
import io.evenkeel.tools.simulate.Successors.Letters;
import io.evenkeel.tools.why.Workload;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A change of a cluster that is thought of. */
@FunctionalInterface
interface ClusterChange {
    /**
     * Makes it.
     *
     * @throws io.evenkeel.problem.UserProblem if the cluster has not what it names
     */
    void apply(ChangedCluster cluster);

    /**
     * So many nodes more like one that there is, with its DaemonSets' pods and no others, with its devices, without its cordon and
     * the taints of a node that is not well.
     *
     * @param like the name of that node
     * @param zone that they are in, where it is not that one's
     */
    record NodesAdded(int count, String like, Optional<String> zone) implements ClusterChange {
        static final String SLICE = Kinds.RESOURCE_SLICE.name();

        @Override
        public void apply(ChangedCluster cluster) {
            Node model = node(cluster, "--like", like);
            cluster.make(count);
            List<Pod> daemons = cluster.picture().pods().stream()
                    .filter(pod -> pod.spec().nodeName().equals(like)
                            && pod.meta()
                                    .controller()
                                    .filter(owner -> owner.kind().equals(Workload.DAEMON_SET))
                                    .isPresent())
                    .toList();
            List<ResourceSlice> slices = cluster.picture().all(SLICE, ResourceSlice.class);
            Set<String> taken = taken(cluster.picture());
            int devices = 0;
            int number = 0;
            for (int i = 0; i < count; i++) {
                String name = "";
                do {
                    name = like + "-new-" + ++number;
                } while (taken.contains(name));
                add(cluster, model, daemons, name);
                List<ResourceSlice> own = CopiedDevices.of(slices, like, name);
                own.forEach(cluster.picture()::put);
                devices = own.stream().mapToInt(slice -> slice.devices().size()).sum();
            }
            cluster.changed(count + (count == 1 ? " node" : " nodes") + " more like " + like
                    + zone.map(in -> " in zone " + in).orElse("")
                    + (daemons.isEmpty() ? "" : ", with " + daemons.size() + " of DaemonSets' pods each")
                    + (devices == 0 ? "" : ", with " + devices + (devices == 1 ? " device each" : " devices each")));
        }

        /** Names of nodes there are, and of nodes that pods are still said to be on: those would be on the new one. */
        private static Set<String> taken(ClusterPicture picture) {
            Set<String> taken = new HashSet<>();
            picture.nodes().forEach(node -> taken.add(node.name()));
            picture.pods().forEach(pod -> taken.add(pod.spec().nodeName()));
            return taken;
        }

        static Node node(ChangedCluster cluster, String option, String name) {
            return (Node) cluster.picture()
                    .find("Node", name)
                    .orElseThrow(() -> new UserProblem(option + " " + name + ": there is no such node"
                            + NearestName.hint(
                                    name,
                                    cluster.picture().nodes().stream()
                                            .map(Node::name)
                                            .toList())));
        }

        private void add(ChangedCluster cluster, Node model, List<Pod> daemons, String name) {
            NodeBuilder node = NodeBuilder.like(model, name).uid("simulated:" + name);
            zone.ifPresent(node::zone);
            cluster.picture().put(node.build());
            cluster.picture()
                    .find("CSINode", like)
                    .map(CsiNode.class::cast)
                    .ifPresent(drivers -> cluster.picture().put(drivers.ofAnother(name)));
            for (Pod daemon : daemons) {
                OwnerReference owner = daemon.meta().controller().orElseThrow();
                cluster.picture()
                        .put(PodBuilder.from(daemon)
                                .name(Letters.name(owner.name() + "-" + name + "-", 0))
                                .uid("simulated:" + daemon.namespace() + ":" + owner.name() + ":" + name)
                                .nodeName(name)
                                .build());
            }
        }
    }

    /**
     * Nodes that are cordoned and emptied, at once: budgets are not waited for, but it is said which would have to be. Pods of
     * DaemonSets and of the node itself stay.
     */
    record Drained(List<String> nodes) implements ClusterChange {
        @Override
        public void apply(ChangedCluster cluster) {
            List<Pod> leaving = new ArrayList<>();
            for (String name : nodes) {
                Node node = NodesAdded.node(cluster, "--drain", name);
                cluster.picture().put(NodeBuilder.from(node).cordoned().build());
            }
            for (Pod pod : cluster.picture().pods()) {
                if (nodes.contains(pod.spec().nodeName()) && !Owners.isOfItsNode(pod)) {
                    leaving.add(pod);
                }
            }
            cluster.changed((nodes.size() == 1 ? "node " : "nodes ") + String.join(", ", nodes) + " drained of "
                    + leaving.size() + (leaving.size() == 1 ? " pod" : " pods"));
            cluster.picture()
                    .all("PodDisruptionBudget", PodDisruptionBudget.class)
                    .forEach(budget -> remark(cluster, budget, leaving));
            if (leaving.stream().anyMatch(pod -> pod.meta().controller().isEmpty())) {
                cluster.remark("kubectl drain asks for --force where pods have no owner: nothing makes them again");
            }
            leaving.forEach(cluster::goesToComeAgain);
        }

        private static void remark(ChangedCluster cluster, PodDisruptionBudget budget, List<Pod> leaving) {
            long hit =
                    leaving.stream().filter(pod -> budget.protects(pod, true)).count();
            int allowed = Math.max(0, budget.disruptionsAllowed());
            if (hit > allowed) {
                cluster.remark("PodDisruptionBudget " + budget.meta().key() + " lets "
                        + (allowed == 0 ? "none" : String.valueOf(allowed)) + " of " + hit
                        + " pods go now: a drain would wait until others are ready");
            }
        }
    }

    /**
     * All nodes with a label, and what runs there, are gone. Pods that something owns are made again.
     *
     * @param key the label's, or zone, region or node for the usual ones
     */
    record Lost(String key, String value) implements ClusterChange {
        @Override
        public void apply(ChangedCluster cluster) {
            LabelledNodes labelled = LabelledNodes.find(cluster.picture().nodes(), "--lose", key, value);
            List<Node> lost = labelled.nodes();
            Set<String> names = new HashSet<>();
            for (Node node : lost) {
                names.add(node.name());
                cluster.picture().remove(node);
                cluster.picture().find("CSINode", node.name()).ifPresent(cluster.picture()::remove);
            }
            cluster.picture().all(NodesAdded.SLICE, ResourceSlice.class).stream()
                    .filter(slice -> names.contains(slice.nodes().name()))
                    .forEach(cluster.picture()::remove);
            int pods = 0;
            for (Pod pod : cluster.picture().pods()) {
                if (names.contains(pod.spec().nodeName())) {
                    pods++;
                    if (Owners.isOfItsNode(pod)) {
                        cluster.picture().remove(pod);
                    } else {
                        cluster.goesToComeAgain(pod);
                    }
                }
            }
            cluster.changed(lost.size() + (lost.size() == 1 ? " node" : " nodes") + " with " + labelled.title()
                    + " lost, and the " + pods + " pods there");
        }
    }

    /** All pods that something makes again go from their nodes at once, to be placed again: what another configuration comes to. */
    record PlacedAnew() implements ClusterChange {
        @Override
        public void apply(ChangedCluster cluster) {
            int taken = 0;
            for (Pod pod : cluster.picture().pods()) {
                if (Owners.isMadeAgain(pod) && !pod.meta().terminating()) {
                    taken++;
                    cluster.picture().remove(pod);
                    Pod waiting = PodBuilder.from(pod)
                            .nodeName("")
                            .status(PodStatus.PENDING)
                            .build();
                    cluster.comes(Arrival.instead(pod, waiting, cluster.owners().workloadOf(pod), Cause.AGAIN));
                }
            }
            cluster.changed("all " + taken + " pods with an owner placed anew, those of DaemonSets apart");
        }
    }

    /**
     * A workload of the cluster with so many pods. More are made like those there are, as templates are not known; fewer go in the
     * order in which controllers choose, as far as it can be seen: restarts cannot, and a pod is taken to be ready since its start.
     */
    record Scaled(Workload workload, int replicas) implements ClusterChange {
        @Override
        public void apply(ChangedCluster cluster) {
            List<Pod> pods = podsOf(cluster, workload);
            if (pods.isEmpty()) {
                throw new UserProblem("--scale: there is no manifest of " + workload.title()
                        + ", and no pod of it in the cluster whose like could be made" + hint(cluster));
            }
            to(cluster, pods, replicas);
            cluster.changed(workload.title() + " scaled from " + pods.size() + " to " + replicas);
        }

        /** The pods of a workload that are not on their way out. */
        static List<Pod> podsOf(ChangedCluster cluster, Workload workload) {
            return cluster.pods().stream()
                    .filter(pod -> !pod.meta().terminating()
                            && pod.namespace().equals(workload.namespace())
                            && cluster.owners().workloadOf(pod).equals(workload))
                    .toList();
        }

        void to(ChangedCluster cluster, List<Pod> pods, int count) {
            cluster.make(Math.max(0, count - pods.size()));
            if (count < pods.size()) {
                cluster.go(toGo(cluster, pods, pods.size() - count));
            } else if (workload.kind().equals(Workload.STATEFUL_SET)) {
                new StatefulGrowth(cluster, workload).grow(pods, count, Cause.NEW);
            } else {
                Pod like = newest(cluster, pods);
                for (int i = pods.size(); i < count; i++) {
                    cluster.comes(Arrival.of(cluster.successors().another(like), workload, Cause.NEW));
                }
            }
            tellOwner(cluster, newest(cluster, pods), count);
        }

        private List<Pod> toGo(ChangedCluster cluster, List<Pod> pods, int fewer) {
            if (workload.kind().equals(Workload.STATEFUL_SET)) {
                return pods.stream()
                        .sorted(Comparator.comparingInt((Pod pod) -> StatefulGrowth.ordinal(workload, pod))
                                .reversed())
                        .limit(fewer)
                        .toList();
            }
            Instant now = lastStart(cluster);
            boolean countsNeighbours = workload.kind().equals(Workload.DEPLOYMENT);
            List<String> neighbours = countsNeighbours
                    ? pods.stream().map(pod -> pod.spec().nodeName()).toList()
                    : List.of();
            return new DeletionOrder(neighbours, now).first(fewer, pods, pod -> candidate(pod, now));
        }

        /** The time of the picture: no pod has started later. */
        private static Instant lastStart(ChangedCluster cluster) {
            return cluster.pods().stream()
                    .map(pod -> started(pod, Instant.EPOCH))
                    .max(Comparator.naturalOrder())
                    .orElse(Instant.EPOCH);
        }

        private static Instant started(Pod pod, Instant otherwise) {
            try {
                return Instant.parse(pod.status().startTime());
            } catch (DateTimeParseException unknown) {
                return otherwise;
            }
        }

        private static DeletionOrder.Candidate candidate(Pod pod, Instant now) {
            Instant since = started(pod, now);
            return new DeletionOrder.Candidate(
                    pod.meta().uid().isEmpty() ? pod.key() : pod.meta().uid(),
                    pod.spec().nodeName(),
                    pod.status().phase(),
                    pod.status().ready(),
                    DeletionOrder.cost(pod.meta().annotations().getOrDefault(Annotations.DELETION_COST, "")),
                    pod.status().ready() ? since : now,
                    0,
                    0,
                    since);
        }

        /** One of the ReplicaSet that is to have the most pods, which is that of the present template. */
        private static Pod newest(ChangedCluster cluster, List<Pod> pods) {
            return pods.stream()
                    .max(Comparator.comparingInt((Pod pod) -> owner(cluster, pod))
                            .thenComparing(Pod::key, Comparator.reverseOrder()))
                    .orElseThrow();
        }

        private static int owner(ChangedCluster cluster, Pod pod) {
            return pod.meta()
                    .controller()
                    .flatMap(owner -> cluster.picture().find(owner.kind(), pod.namespace() + "/" + owner.name()))
                    .map(object -> object instanceof WorkloadOwner known ? known.replicas() : 0)
                    .orElse(0);
        }

        static void tellOwner(ChangedCluster cluster, Pod pod, int count) {
            pod.meta()
                    .controller()
                    .flatMap(owner -> cluster.picture().find(owner.kind(), pod.namespace() + "/" + owner.name()))
                    .ifPresent(object -> {
                        if (object instanceof WorkloadOwner known) {
                            cluster.picture()
                                    .put(new WorkloadOwner(known.kind(), known.meta(), known.selector(), count));
                        }
                    });
        }

        private String hint(ChangedCluster cluster) {
            Set<String> known = new TreeSet<>();
            cluster.pods().stream()
                    .map(cluster.owners()::workloadOf)
                    .filter(other -> other.kind().equals(workload.kind())
                            && other.namespace().equals(workload.namespace()))
                    .forEach(other -> known.add(other.name()));
            return NearestName.hint(workload.name(), known);
        }
    }

    /**
     * The pods that owners in the cluster are to have and have not made yet: pods of a StatefulSet come one after the other, once the
     * one before is in place. To be applied after all other changes, so that each owner has as many pods as it is to have.
     */
    record MissingPods() implements ClusterChange {
        @Override
        public void apply(ChangedCluster cluster) {
            Map<String, List<Pod>> byOwner = new HashMap<>();
            for (Pod pod : cluster.pods()) {
                pod.meta()
                        .controller()
                        .ifPresent(owner -> byOwner.computeIfAbsent(
                                        title(owner.kind(), pod.namespace() + "/" + owner.name()),
                                        _ -> new ArrayList<>())
                                .add(pod));
            }
            for (WorkloadOwner.Kind kind : WorkloadOwner.Kind.values()) {
                for (WorkloadOwner owner : cluster.picture().all(kind.kindName(), WorkloadOwner.class)) {
                    complete(cluster, owner, byOwner.getOrDefault(title(owner), List.of()));
                }
            }
        }

        /** The place of a StatefulSet's pod is free once it is gone; others are replaced as soon as they are told to go. */
        private static void complete(ChangedCluster cluster, WorkloadOwner owner, List<Pod> there) {
            boolean isStateful = owner.kind() == WorkloadOwner.Kind.STATEFUL_SET;
            long counted = there.stream()
                    .filter(pod -> isStateful || !pod.meta().terminating())
                    .count();
            long missing = owner.replicas() - counted;
            if (missing <= 0) {
                return;
            }
            String title = title(owner);
            if (there.isEmpty()) {
                cluster.remark(title + " is to have " + owner.replicas()
                        + " and has no pod whose like could be made: they" + " are left out");
                return;
            }
            if (!cluster.canMake(missing)) {
                cluster.remark(title + " is to have " + owner.replicas() + " pods, of which " + missing
                        + " were not made yet: they are too many, and left out");
                return;
            }
            Workload workload = cluster.owners().workloadOf(there.getFirst());
            if (isStateful) {
                new StatefulGrowth(cluster, workload).grow(there, owner.replicas(), Cause.MISSING);
            } else {
                for (int i = 0; i < missing; i++) {
                    cluster.comes(Arrival.of(cluster.successors().another(there.getFirst()), workload, Cause.MISSING));
                }
            }
            cluster.remark(title + " is to have " + owner.replicas() + (owner.replicas() == 1 ? " pod" : " pods")
                    + ", of which " + missing + (missing == 1 ? " was" : " were") + " not made yet");
        }

        private static String title(WorkloadOwner owner) {
            return title(owner.kindName(), owner.meta().key());
        }

        private static String title(String kind, String key) {
            return kind + " " + key;
        }
    }

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
            passedOver.forEach((kind, count) -> cluster.remark(count + (count == 1 ? " object" : " objects")
                    + " of kind " + kind + " without effect on scheduling"));
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
            if (!kind.namespaced() || !manifest.tree().has("metadata")) {
                return manifest;
            }
            var tree = manifest.tree().deepCopy();
            var metadata = tree.getAsJsonObject("metadata");
            metadata.addProperty("namespace", manifest.namespaceNamed());
            if (kind.equals(
                    Kinds.RESOURCE_CLAIM)) { // one without a UID would be taken for one that the scheduler makes
                metadata.addProperty("uid", "simulated:" + manifest.namespaceNamed() + ":" + manifest.name());
            }
            return new Manifest(manifest.source(), manifest.namespace(), tree);
        }

        /** How many pods there are of it. */
        private int apply(ChangedCluster cluster, Manifest manifest, Expansions expansions) {
            Integer asked = replicas.get(new Workload(manifest.kind(), manifest.namespaceNamed(), manifest.name()));
            Made made = expansions.expand(manifest, asked == null ? OptionalInt.empty() : OptionalInt.of(asked));
            Workload workload = made.workload();
            List<Pod> there = Scaled.podsOf(cluster, workload);
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
                    .forEach(unknown -> cluster.remark(
                            manifest.title() + ": " + unknown.path() + ": unknown field" + unknown.hint()));
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
            List<TopologySpreadConstraint> spread = pod.spec().topologySpread().stream()
                    .map(Applied::withoutOwn)
                    .toList();
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

    /** More pods of a StatefulSet of the cluster: the ordinals that are missing, with claims of their own. */
    record StatefulGrowth(ChangedCluster cluster, Workload workload) {
        private static final List<String> NAME_LABELS = List.of("statefulset.kubernetes.io/pod-name");
        private static final String INDEX_LABEL = "apps.kubernetes.io/pod-index";
        private static final String CLAIM = "PersistentVolumeClaim";

        /** The ordinal in a pod's name; -1 where it has none. */
        static int ordinal(Workload set, Pod pod) {
            String prefix = set.name() + "-";
            String rest = pod.name().startsWith(prefix) ? pod.name().substring(prefix.length()) : "";
            return rest.matches("[0-9]{1,8}") ? Integer.parseInt(rest) : -1;
        }

        /** Each once the one before is in place, the first once those are that wait already. */
        void grow(List<Pod> pods, int count, Cause cause) {
            Set<Integer> there = new HashSet<>();
            pods.forEach(pod -> there.add(ordinal(workload, pod)));
            int next = there.stream().mapToInt(Integer::intValue).min().orElse(0);
            Optional<String> before = pods.stream()
                    .filter(pod -> !pod.isPlaced())
                    .max(Comparator.comparingInt(pod -> ordinal(workload, pod)))
                    .map(Pod::key);
            for (int missing = count - pods.size(); missing > 0; next++) {
                if (there.add(next)) {
                    Pod pod = podOf(pods.getFirst(), next);
                    Arrival arrival = Arrival.of(pod, workload, cause);
                    cluster.comes(before.map(arrival::after).orElse(arrival));
                    before = Optional.of(pod.key());
                    missing--;
                }
            }
        }

        private Pod podOf(Pod like, int ordinal) {
            String name = workload.name() + "-" + ordinal;
            Labels labels = like.labels();
            for (String label : NAME_LABELS) {
                labels = labels.has(label) ? labels.with(label, name) : labels;
            }
            if (labels.has(INDEX_LABEL)) {
                labels = labels.with(INDEX_LABEL, Integer.toString(ordinal));
            }
            List<PodVolume> volumes = new ArrayList<>();
            for (PodVolume volume : like.spec().volumes()) {
                boolean own = volume.source() == PodVolume.Source.PERSISTENT_VOLUME_CLAIM
                        && volume.id().endsWith("-" + like.name());
                volumes.add(own ? withClaim(volume, like, name) : volume);
            }
            Pod renamed = PodBuilder.from(cluster.successors().anew(like, name))
                    .labels(labels)
                    .build();
            return new Pod(
                    renamed.meta(),
                    renamed.spec().withVolumes(renamed.spec().imageVolumes(), volumes),
                    renamed.status());
        }

        /** The claim that the set makes for the pod, unless it has stayed from an earlier one of its name. */
        private PodVolume withClaim(PodVolume volume, Pod like, String pod) {
            String stem =
                    volume.id().substring(0, volume.id().length() - like.name().length());
            String namespace = like.namespace();
            String claim = stem + pod;
            if (cluster.picture().find(CLAIM, namespace + "/" + claim).isEmpty()) {
                cluster.picture()
                        .find(CLAIM, namespace + "/" + volume.id())
                        .map(PersistentVolumeClaim.class::cast)
                        .ifPresent(known -> cluster.picture()
                                .put(new PersistentVolumeClaim(
                                        known.meta().ofAnother(claim).withAnnotations(Labels.EMPTY),
                                        known.terms(),
                                        known.size(),
                                        known.selector(),
                                        "",
                                        false)));
            }
            return new PodVolume(volume.name(), volume.source(), claim, volume.monitors(), volume.readOnly());
        }
    }
}
