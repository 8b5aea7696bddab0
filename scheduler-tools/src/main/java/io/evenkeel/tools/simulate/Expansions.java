package io.evenkeel.tools.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.workload.DaemonPods;
import io.evenkeel.model.workload.PodAdmission;
import io.evenkeel.model.workload.Templates;
import io.evenkeel.problem.NearestName;
import io.evenkeel.tools.simulate.Successors.Letters;
import io.evenkeel.tools.why.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Makes of manifests what their controllers would. */
final class Expansions {
    /** More would be a slip of the keyboard, and fill the memory. */
    static final int MOST_PODS = 200_000;

    private static final String REPLICAS = "replicas";
    private static final String CLAIM = "PersistentVolumeClaim";
    private static final String CLAIM_TEMPLATES = "volumeClaimTemplates";
    private static final Set<String> KINDS = Set.of(
            Workload.POD,
            Workload.DEPLOYMENT,
            Workload.REPLICA_SET,
            Workload.REPLICATION_CONTROLLER,
            Workload.STATEFUL_SET,
            Workload.DAEMON_SET,
            Workload.JOB,
            Workload.CRON_JOB);

    private final ManifestReader reader;
    private final List<Node> nodes;
    private final Consumer<String> remarks;

    /**
     * For a cluster with these PriorityClasses.
     *
     * @param nodes that DaemonSets have pods on
     * @param remarks is told what is not done as a cluster would
     */
    Expansions(ObjectReader reader, Collection<PriorityClass> classes, List<Node> nodes, Consumer<String> remarks) {
        this.reader = new ManifestReader(reader, classes);
        this.nodes = nodes;
        this.remarks = remarks;
    }

    /** Whether pods come of it. */
    static boolean makesPods(Manifest manifest) {
        return KINDS.contains(manifest.kind());
    }

    /** Any other object as scheduling reads it. */
    KubernetesObject read(Manifest manifest) {
        return reader.read(manifest.tree(), manifest, "");
    }

    /**
     * The pods of a manifest.
     *
     * @param replicas how many, where that is not what the manifest says
     * @throws io.evenkeel.problem.UserProblem if it makes no sense
     */
    Made expand(Manifest manifest, OptionalInt replicas) {
        Workload workload = new Workload(manifest.kind(), manifest.namespaceNamed(), manifest.name());
        if (manifest.name().isEmpty()
                && !(workload.kind().equals(Workload.POD) && manifest.metadata().has("generateName"))) {
            throw manifest.mistake("metadata.name", "missing");
        }
        return switch (manifest.kind()) {
            case Workload.POD -> pod(manifest);
            case Workload.DEPLOYMENT -> ofDeployment(manifest, workload, count(manifest, replicas));
            case Workload.STATEFUL_SET -> ofStatefulSet(manifest, workload, count(manifest, replicas));
            case Workload.JOB -> ofJob(manifest, workload, replicas);
            case Workload.CRON_JOB -> ofCronJob(manifest, replicas);
            case Workload.DAEMON_SET -> ofDaemonSet(manifest, workload);
            default -> ofSet(manifest, workload, count(manifest, replicas));
        };
    }

    private static int count(Manifest manifest, OptionalInt replicas) {
        return replicas.orElseGet(() -> manifest.count(REPLICAS, MOST_PODS).orElse(1));
    }

    private Made pod(Manifest manifest) {
        JsonObject tree = manifest.tree().deepCopy();
        manifest.required("spec");
        String name = manifest.name().isEmpty()
                ? Letters.name(Trees.text(manifest.metadata(), "generateName"), 0)
                : manifest.name();
        String namespace = manifest.namespaceNamed();
        PodTemplate.asOfServer(tree, manifest.apiVersion(), Workload.POD, namespace, name);
        Pod pod = reader.pod(tree, manifest, "");
        return new Made(new Workload(Workload.POD, namespace, name), List.of(), List.of(pod), false);
    }

    /**
     * The pods of a Job that run at once: those after them come when these have finished, and no time passes here.
     *
     * @param asked how many at once, where that is not what the manifest says
     */
    private Made ofJob(Manifest manifest, Workload workload, OptionalInt asked) {
        JsonObject spec = manifest.required("spec");
        PodTemplate template = PodTemplate.of(manifest);
        int parallelism = asked.orElse(manifest.count("parallelism", MOST_PODS).orElse(1));
        OptionalInt completions = manifest.count("completions", Integer.MAX_VALUE);
        int atOnce = Math.min(parallelism, completions.orElse(parallelism));
        if (Trees.isTrue(spec, "suspend")) {
            remarks.accept(manifest.title() + " is suspended and has no pods");
            atOnce = 0;
        } else if (completions.isPresent() && completions.getAsInt() > atOnce) {
            remarks.accept(manifest.title() + ": " + atOnce + " of its " + completions.getAsInt()
                    + " pods run at once; those after them come as these finish, and are not placed here");
        }
        boolean indexed = Trees.text(spec, "completionMode").equals("Indexed");
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < atOnce; i++) {
            String base = manifest.name() + "-" + (indexed ? i + "-" : "");
            Map<String, String> labels =
                    new HashMap<>(Templates.jobLabels(manifest.name(), Letters.wordFor(template.ownerUid())));
            if (indexed) {
                labels.put(Templates.JOB_INDEX, Integer.toString(i));
            }
            pods.add(reader.pod(template.pod(Letters.name(base, i), labels), manifest, PodTemplate.PATH));
        }
        return new Made(workload, List.of(), pods, false);
    }

    /** The pods of one run, of a Job with a name that no schedule gives. */
    private Made ofCronJob(Manifest manifest, OptionalInt asked) {
        JsonObject job = manifest.required("spec", "jobTemplate").deepCopy();
        job.addProperty("apiVersion", manifest.apiVersion());
        job.addProperty("kind", Workload.JOB);
        Trees.ensureObject(job, "metadata");
        Manifest run = new Manifest(manifest.title(), manifest.namespaceNamed(), job);
        JsonObject metadata = run.required("metadata");
        metadata.addProperty("name", manifest.name() + "-run");
        metadata.addProperty("namespace", manifest.namespaceNamed());
        if (Trees.isTrue(manifest.tree(), "spec", "suspend")) {
            run.required("spec").addProperty("suspend", true);
        } else {
            remarks.accept(manifest.title() + " has the pods of one run, whatever its schedule");
        }
        return ofJob(run, new Workload(Workload.JOB, run.namespace(), run.name()), asked);
    }

    private Made ofDaemonSet(Manifest manifest, Workload workload) {
        PodTemplate template = PodTemplate.of(manifest);
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            JsonObject tree = template.pod(Letters.name(manifest.name() + "-", i), Map.of());
            JsonObject spec = tree.getAsJsonObject("spec");
            DaemonPods.tolerate(spec);
            Pod free = reader.pod(tree.deepCopy(), manifest, PodTemplate.PATH);
            if (DaemonPods.shallRunOn(nodes.get(i), free)) {
                DaemonPods.bind(spec, nodes.get(i).name());
                pods.add(reader.pod(tree, manifest, PodTemplate.PATH));
            }
        }
        return new Made(workload, List.of(), pods, false);
    }

    /** Of a Deployment, by the one ReplicaSet that its present template has. */
    private Made ofDeployment(Manifest manifest, Workload workload, int replicas) {
        PodTemplate template = PodTemplate.of(manifest);
        manifest.required("spec", "selector");
        return of(manifest, workload, template.byReplicaSet(), replicas);
    }

    /** Of what owns its pods itself. */
    private Made ofSet(Manifest manifest, Workload workload, int replicas) {
        PodTemplate template = PodTemplate.of(manifest);
        if (manifest.kind().equals(Workload.REPLICATION_CONTROLLER)
                && Trees.at(manifest.tree(), "spec", "selector").isEmpty()) {
            Trees.object(template.owner(), "spec", "template", "metadata", "labels")
                    .ifPresent(
                            labels -> template.owner().getAsJsonObject("spec").add("selector", labels.deepCopy()));
        } else {
            manifest.required("spec", "selector");
        }
        return of(manifest, workload, template, replicas);
    }

    private Made of(Manifest manifest, Workload workload, PodTemplate template, int replicas) {
        WorkloadOwner owner = (WorkloadOwner) reader.read(template.scaled(replicas), manifest, "");
        String base = template.ownerName() + "-";
        List<Pod> pods = IntStream.range(0, replicas)
                .mapToObj(i -> reader.pod(template.pod(Letters.name(base, i), Map.of()), manifest, PodTemplate.PATH))
                .toList();
        Pod one = pods.isEmpty()
                ? reader.pod(template.pod(base + "none", Map.of()), manifest, PodTemplate.PATH)
                : pods.getFirst();
        if (!owner.selector().matches(one.labels())) {
            throw manifest.mistake("spec.selector", "does not match the labels of spec.template");
        }
        return new Made(workload, List.of(owner), pods, false);
    }

    /** Each pod has an ordinal and its claims. */
    private Made ofStatefulSet(Manifest manifest, Workload workload, int replicas) {
        PodTemplate template = PodTemplate.of(manifest);
        manifest.required("spec", "selector");
        JsonObject owner = template.scaled(replicas);
        List<JsonObject> claims = Templates.claimTemplates(owner);
        if (Trees.array(owner, "spec", CLAIM_TEMPLATES)
                .filter(all -> all.size() > claims.size())
                .isPresent()) {
            throw manifest.mistake("spec." + CLAIM_TEMPLATES, "expected mappings");
        }
        WorkloadOwner set = (WorkloadOwner) reader.read(owner, manifest, "");
        List<KubernetesObject> objects = new ArrayList<>();
        objects.add(set);
        List<Pod> pods = new ArrayList<>();
        int start = start(owner);
        for (int ordinal = start; ordinal < start + replicas; ordinal++) {
            for (JsonObject claim : claims) {
                objects.add(claim(manifest, Templates.claim(owner, claim, ordinal)));
            }
            pods.add(reader.pod(template.pod(ordinal), manifest, PodTemplate.PATH));
        }
        if (!pods.isEmpty() && !set.selector().matches(pods.getFirst().labels())) {
            throw manifest.mistake("spec.selector", "does not match the labels of spec.template");
        }
        return new Made(
                workload,
                objects,
                pods,
                !Trees.text(owner, "spec", "podManagementPolicy").equals("Parallel"));
    }

    private static int start(JsonObject set) {
        String start = Trees.text(set, "spec", "ordinals", "start");
        return start.matches("[0-9]{1,8}") ? Integer.parseInt(start) : 0;
    }

    private KubernetesObject claim(Manifest manifest, JsonObject claim) {
        String name = Trees.text(claim, "metadata", "name");
        PodTemplate.asOfServer(claim, "v1", CLAIM, manifest.namespaceNamed(), name);
        return reader.read(claim, manifest, "spec." + CLAIM_TEMPLATES);
    }

    /**
     * The objects that controllers make of a manifest.
     *
     * @param objects beside pods: the ReplicaSet of a Deployment, the claims of a StatefulSet
     * @param pods in the order in which they are made
     * @param oneByOne whether each is made once those before it are ready
     */
    record Made(Workload workload, List<KubernetesObject> objects, List<Pod> pods, boolean oneByOne) {}

    /** Reads what was made of a manifest as the objects that scheduling reads. */
    private static final class ManifestReader {
        private static final int LONGEST = 500;
        private static final int MOST_CLASSES = 8;

        /** Classes that every cluster has. */
        private static final List<PriorityClass> BUILT_IN = List.of(
                new PriorityClass(ObjectMeta.named("", "system-cluster-critical"), 2_000_000_000, false, true),
                new PriorityClass(ObjectMeta.named("", "system-node-critical"), 2_000_001_000, false, true));

        private final ObjectReader reader;
        private final List<PriorityClass> classes;

        ManifestReader(ObjectReader reader, Collection<PriorityClass> classes) {
            this.reader = reader;
            this.classes = new ArrayList<>(classes);
            this.classes.addAll(BUILT_IN);
        }

        /** A pod that the API server lets in first. */
        Pod pod(JsonObject tree, Manifest manifest, String path) {
            admit(tree, manifest, path.isEmpty() ? "spec" : path + ".spec");
            return (Pod) read(tree, manifest, path);
        }

        /**
         * Makes the API server's changes to a new pod.
         *
         * @param path of the pod's spec in the manifest
         */
        private void admit(JsonObject pod, Manifest manifest, String path) {
            JsonObject spec = Trees.ensureObject(pod, "spec");
            PodAdmission.fill(spec);
            Trees.object(spec, "resources").ifPresent(PodAdmission::requestLimits);
            PodAdmission.tolerateFailures(spec);
            String named = Trees.text(spec, "priorityClassName");
            Optional<PriorityClass> its = PodAdmission.priorityClass(spec, classes);
            if (its.isEmpty() && !named.isEmpty()) {
                List<String> names = classes.stream()
                        .map(each -> each.meta().name())
                        .sorted()
                        .limit(MOST_CLASSES)
                        .toList();
                throw manifest.mistake(
                        path + ".priorityClassName",
                        "there is no PriorityClass \"" + named + "\"; there are " + String.join(", ", names)
                                + NearestName.hint(named, names));
            }
            if (its.isPresent()) { // else a priority stays that the manifest gives
                PodAdmission.assign(spec, its);
            }
            PodAdmission.mergeLabelKeys(pod);
        }

        /** @param path of the object in the manifest; empty for the manifest itself */
        KubernetesObject read(JsonObject tree, Manifest manifest, String path) {
            try {
                return reader.read(tree.toString());
            } catch (ObjectReadException unreadable) {
                String why = String.valueOf(unreadable.getMessage()).replaceFirst("^[A-Za-z]+ [^ ]+: ", "");
                String place = path.isEmpty() ? why : path + "." + why;
                int end = Math.max(place.indexOf(": "), 0);
                throw manifest.mistake(
                        place.substring(0, end),
                        Excerpt.of(place.substring(Math.min(place.length(), end + 2)), LONGEST));
            }
        }
    }

    /**
     * The template of a workload's pods.
     *
     * @param owner of the pods, with the template in its spec
     */
    private record PodTemplate(Manifest manifest, JsonObject owner) {
        static final String PATH = "spec.template";

        /**
         * Takes the template of a manifest; its object owns the pods itself.
         *
         * @throws io.evenkeel.problem.UserProblem if it has none
         */
        static PodTemplate of(Manifest manifest) {
            manifest.required("spec", "template", "spec");
            return new PodTemplate(manifest, manifest.tree().deepCopy()).owned(manifest.apiVersion(), manifest.kind());
        }

        /** The ReplicaSet that a Deployment makes for this template owns the pods. */
        PodTemplate byReplicaSet() {
            JsonObject set = Templates.replicaSet(owner);
            set.getAsJsonObject("metadata").add("ownerReferences", references());
            return new PodTemplate(manifest, set).owned("apps/v1", Workload.REPLICA_SET);
        }

        private PodTemplate owned(String apiVersion, String kind) {
            asOfServer(owner, apiVersion, kind, manifest.namespaceNamed(), Trees.text(owner, "metadata", "name"));
            return this;
        }

        JsonObject scaled(int replicas) {
            owner.getAsJsonObject("spec").addProperty("replicas", replicas);
            return owner;
        }

        String ownerName() {
            return Trees.text(owner, "metadata", "name");
        }

        String ownerUid() {
            return Trees.text(owner, "metadata", "uid");
        }

        JsonObject pod(String name, Map<String, String> moreLabels) {
            JsonObject pod = Templates.pod(owner);
            JsonObject labels = Trees.ensureObject(pod.getAsJsonObject("metadata"), "labels");
            moreLabels.forEach(labels::addProperty);
            return owned(pod, name);
        }

        JsonObject pod(int ordinal) {
            return owned(Templates.pod(owner, ordinal), ownerName() + "-" + ordinal);
        }

        private JsonObject owned(JsonObject pod, String name) {
            asOfServer(pod, "v1", Workload.POD, manifest.namespaceNamed(), name);
            pod.getAsJsonObject("metadata").add("ownerReferences", references());
            return pod;
        }

        private JsonArray references() {
            JsonObject reference = new JsonObject();
            reference.addProperty("apiVersion", Trees.text(owner, "apiVersion"));
            reference.addProperty("kind", Trees.text(owner, "kind"));
            reference.addProperty("name", ownerName());
            reference.addProperty("uid", ownerUid());
            reference.addProperty("controller", true);
            JsonArray references = new JsonArray();
            references.add(reference);
            return references;
        }

        /** Gives an object its place among a server's objects. */
        static void asOfServer(JsonObject tree, String apiVersion, String kind, String namespace, String name) {
            tree.addProperty("apiVersion", apiVersion);
            tree.addProperty("kind", kind);
            JsonObject metadata = Trees.ensureObject(tree, "metadata");
            metadata.addProperty("name", name);
            metadata.addProperty("namespace", namespace);
            metadata.addProperty("uid", uidOf(kind, namespace, name));
        }

        /** Of an object that no server has seen: equal for equal names, and no other's. */
        private static String uidOf(String kind, String namespace, String name) {
            return "simulated:" + kind + ":" + namespace + ":" + name;
        }
    }
}
