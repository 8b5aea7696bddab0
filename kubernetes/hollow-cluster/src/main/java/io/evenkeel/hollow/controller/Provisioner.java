package io.evenkeel.hollow.controller;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.Volume.ClaimReference;
import io.evenkeel.hollow.controller.Volume.VolumeAnnotations;
import io.evenkeel.hollow.controller.WorldOptions.Pace;
import io.evenkeel.hollow.registry.NameRules;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.Node;
import io.evenkeel.model.json.Trees;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Makes volumes for every provisioner that a StorageClass names. Where it fails for a node that a scheduler selected, it
 * takes the selection back, so that the scheduler tries again, perhaps elsewhere.
 */
final class Provisioner implements Controller {

    private final Registry registry;
    private final ControlLoop schedule;
    private final EventRecorder events;
    private final Set<String> underWay = new HashSet<>();
    private final Map<String, Integer> failures = new HashMap<>();
    /** Claims that were looked at while it makes nothing. */
    private final Set<ObjectKey> heldUp = new LinkedHashSet<>();

    private volatile boolean isHeld;

    Provisioner(Registry registry, ControlLoop schedule, EventRecorder events) {
        this.registry = registry;
        this.schedule = schedule;
        this.events = events;
    }

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        ObjectKey key = change.object().key();
        if (key.table().equals(ResourceTable.PERSISTENT_VOLUME_CLAIMS.storage())) {
            Claim claim = new Claim(change.object());
            if (change instanceof Change.Deleted) {
                failures.remove(claim.uid());
            } else if (isAskedFor(claim)) {
                look.accept(key);
            }
        }
    }

    /** Makes no volumes until it is let on. */
    void hold() {
        isHeld = true;
    }

    void letOn() {
        isHeld = false;
        schedule.in(Duration.ZERO, () -> {
            List<ObjectKey> all = List.copyOf(heldUp);
            heldUp.clear();
            all.forEach(key -> schedule.look(this, key));
        });
    }

    @Override
    public void sync(ObjectKey key) {
        if (isHeld) {
            heldUp.add(key);
            return;
        }
        Optional<Claim> claim = Claim.find(registry, key).filter(Provisioner::isAskedFor);
        Optional<StorageClass> storageClass = claim.flatMap(this::classToMakeOf);
        if (storageClass.isEmpty() || underWay.contains(claim.get().uid())) {
            return;
        }
        try {
            after(Parameters.of(storageClass.get()).delay(), claim.get());
        } catch (ProvisioningFailure e) {
            fail(claim.get(), e);
        }
    }

    private static boolean isAskedFor(Claim claim) {
        return !claim.annotation(VolumeAnnotations.STORAGE_PROVISIONER).isEmpty()
                && claim.volume().isEmpty()
                && !claim.isGoing();
    }

    /** The claim's class, if there is something to be done about it now. */
    private Optional<StorageClass> classToMakeOf(Claim claim) {
        boolean nodeSelected = !claim.annotation(Annotations.SELECTED_NODE).isEmpty();
        return StorageClass.find(registry, claim.storageClass())
                .filter(each -> each.provisioner().equals(claim.annotation(VolumeAnnotations.STORAGE_PROVISIONER)))
                .filter(each -> nodeSelected || !each.waitsForFirstConsumer())
                .filter(_ ->
                        Volume.find(registry, ProvisionedVolume.nameFor(claim)).isEmpty());
    }

    private void after(Duration delay, Claim claim) {
        if (delay.isZero()) {
            attempt(claim);
            return;
        }
        underWay.add(claim.uid());
        schedule.in(delay, () -> {
            underWay.remove(claim.uid());
            Claim.find(registry, claim.key())
                    .filter(each -> each.uid().equals(claim.uid()))
                    .filter(Provisioner::isAskedFor)
                    .ifPresent(this::attempt);
        });
    }

    private void attempt(Claim claim) {
        Optional<StorageClass> storageClass = classToMakeOf(claim);
        if (storageClass.isEmpty()) {
            return;
        }
        try {
            make(claim, storageClass.get());
        } catch (ProvisioningFailure e) {
            fail(claim, e);
        }
    }

    private void make(Claim claim, StorageClass storageClass) throws ProvisioningFailure {
        Parameters parameters = Parameters.of(storageClass);
        if (claim.spec().has("selector")) {
            throw new ProvisioningFailure("claims with a selector take volumes that are there, none is made for them");
        }
        Topology topology = topology(claim, storageClass, parameters.topology());
        int failed = failures.getOrDefault(claim.uid(), 0);
        if (failed < parameters.failures()) {
            failures.put(claim.uid(), failed + 1);
            if (!storageClass.waitsForFirstConsumer()) {
                schedule.in(Duration.ZERO, () -> schedule.look(this, claim.key()));
            }
            throw new ProvisioningFailure(
                    "failure %d of the %d that the class asks for".formatted(failed + 1, parameters.failures()));
        }
        create(ProvisionedVolume.tree(claim, storageClass, topology));
        events.normal(
                ResourceTable.PERSISTENT_VOLUME_CLAIMS,
                claim.object(),
                storageClass.provisioner(),
                "ProvisioningSucceeded",
                "Successfully provisioned volume " + ProvisionedVolume.nameFor(claim));
    }

    /** The class may ask for what no volume can have, such as a topology that no node's labels can say. */
    private void create(JsonObject volume) throws ProvisioningFailure {
        try {
            registry.create(ResourceTable.PERSISTENT_VOLUMES, "", volume, false);
        } catch (ApiException refused) {
            throw new ProvisioningFailure(Trees.text(refused.status(), "message"));
        }
    }

    private Topology topology(Claim claim, StorageClass storageClass, Topology.Kind kind) throws ProvisioningFailure {
        String selected = claim.annotation(Annotations.SELECTED_NODE);
        if (selected.isEmpty()) {
            return Topology.anywhere(kind, storageClass);
        }
        Optional<StoredObject> node = registry.find(ResourceTable.NODES, "", selected);
        if (node.isEmpty()) {
            throw new ProvisioningFailure("the selected node %s is not there".formatted(selected));
        }
        return Topology.around(node.get(), kind, storageClass);
    }

    private void fail(Claim claim, ProvisioningFailure failure) {
        events.warning(
                ResourceTable.PERSISTENT_VOLUME_CLAIMS,
                claim.object(),
                claim.annotation(VolumeAnnotations.STORAGE_PROVISIONER),
                "ProvisioningFailed",
                "failed to provision volume with StorageClass \"%s\": %s"
                        .formatted(claim.storageClass(), failure.getMessage()));
        registry.edit(ResourceTable.PERSISTENT_VOLUME_CLAIMS, claim.key(), tree -> {
            if (Trees.text(tree, "metadata", "uid").equals(claim.uid())) {
                VolumeAnnotations.remove(tree, Annotations.SELECTED_NODE);
            }
        });
    }

    /**
     * The parameters of a StorageClass that the provisioner understands; it leaves real drivers' parameters alone.
     *
     * @param topology from where its volumes can be reached
     * @param delay how long it takes to make one
     * @param failures attempts to make a claim's volume that fail before one works
     */
    private record Parameters(Topology.Kind topology, Duration delay, int failures) {

        private static final Pattern COUNT = Pattern.compile("[0-9]{1,6}");

        static Parameters of(StorageClass storageClass) throws ProvisioningFailure {
            return new Parameters(
                    Topology.Kind.of(storageClass.parameter("topology")),
                    delay(storageClass.parameter("delay")),
                    failures(storageClass.parameter("failures")));
        }

        private static Duration delay(String text) throws ProvisioningFailure {
            if (text.isEmpty()) {
                return Duration.ZERO;
            }
            return Pace.parse(text)
                    .orElseThrow(() -> new ProvisioningFailure(
                            "the parameter delay is '%s', not a time such as 500ms or 2s".formatted(text)));
        }

        private static int failures(String text) throws ProvisioningFailure {
            if (text.isEmpty()) {
                return 0;
            }
            if (!COUNT.matcher(text).matches()) {
                throw new ProvisioningFailure("the parameter failures is '%s', not a number".formatted(text));
            }
            return Integer.parseInt(text);
        }
    }

    /** A volume as a CSI driver's provisioner writes it down: made for one claim, and as that asked. */
    private static final class ProvisionedVolume {

        private ProvisionedVolume() {}

        /** Name of the claim's volume: always the same, so that no claim gets two volumes. */
        static String nameFor(Claim claim) {
            return "pvc-" + claim.uid();
        }

        static JsonObject tree(Claim claim, StorageClass storageClass, Topology topology) {
            JsonObject tree = new JsonObject();
            Trees.ensureObject(tree, "metadata").addProperty("name", nameFor(claim));
            VolumeAnnotations.set(tree, VolumeAnnotations.PROVISIONED_BY, storageClass.provisioner());
            JsonObject spec = Trees.ensureObject(tree, "spec");
            Trees.ensureObject(spec, "capacity")
                    .addProperty("storage", claim.terms().size().toString());
            boolean csi = NameRules.isDriver(storageClass.provisioner());
            spec.add(csi ? "csi" : "hostPath", csi ? source(claim, storageClass) : directory(claim));
            copy(claim.spec(), "accessModes", spec);
            spec.add("claimRef", ClaimReference.to(claim));
            spec.addProperty("persistentVolumeReclaimPolicy", Trees.text(storageClass.tree(), "reclaimPolicy"));
            spec.addProperty("storageClassName", storageClass.name());
            copy(storageClass.tree(), "mountOptions", spec);
            copy(claim.spec(), "volumeMode", spec);
            if (csi && !Trees.text(claim.spec(), "volumeAttributesClassName").isEmpty()) {
                copy(claim.spec(), "volumeAttributesClassName", spec);
            }
            topology.nodeAffinity().ifPresent(affinity -> spec.add("nodeAffinity", affinity));
            return tree;
        }

        private static JsonObject source(Claim claim, StorageClass storageClass) {
            JsonObject source = Trees.of("driver", storageClass.provisioner(), "volumeHandle", nameFor(claim));
            if (Trees.text(claim.spec(), "volumeMode").equals("Filesystem")) {
                source.addProperty("fsType", "ext4");
            }
            return source;
        }

        /** Makes a directory, as provisioners do that have a slash in their names and so are no CSI drivers. */
        private static JsonObject directory(Claim claim) {
            return Trees.of("path", "/var/lib/volumes/" + nameFor(claim));
        }

        private static void copy(JsonObject from, String name, JsonObject to) {
            Trees.at(from, name).map(JsonElement::deepCopy).ifPresent(value -> to.add(name, value));
        }
    }

    /** Why a volume could not be made, as its claim's events say it. */
    private static final class ProvisioningFailure extends Exception {

        ProvisioningFailure(String why) {
            super(why);
        }
    }

    /** The labels of the nodes from which a volume can be reached; none for all nodes. */
    private record Topology(SortedMap<String, String> labels) {

        /** How far a class's volumes reach, by its parameter {@code topology}. */
        enum Kind {
            ZONE("topology.kubernetes.io/zone"),
            HOSTNAME(Node.HOSTNAME),
            NONE("");

            private final String label;

            Kind(String label) {
                this.label = label;
            }

            static Kind of(String parameter) throws ProvisioningFailure {
                return switch (parameter) {
                    case "", "zone" -> ZONE;
                    case "hostname" -> HOSTNAME;
                    case "none" -> NONE;
                    default ->
                        throw new ProvisioningFailure(
                                "the parameter topology is '%s', not zone, hostname or none".formatted(parameter));
                };
            }
        }

        /** Around a node, which must be one that the class allows. A node without the label reaches what all reach. */
        static Topology around(StoredObject node, Kind kind, StorageClass storageClass) throws ProvisioningFailure {
            List<JsonObject> allowed = storageClass.allowedTopologies();
            if (!allowed.isEmpty() && allowed.stream().noneMatch(term -> allows(term, node))) {
                throw new ProvisioningFailure("node %s is not in the allowed topologies".formatted(node.name()));
            }
            SortedMap<String, String> labels = new TreeMap<>();
            Optional.of(label(node, kind.label))
                    .filter(value -> !value.isEmpty())
                    .ifPresent(value -> labels.put(kind.label, value));
            return new Topology(labels);
        }

        /** Where no node is asked for: the first that the class allows, else anywhere. */
        static Topology anywhere(Kind kind, StorageClass storageClass) {
            SortedMap<String, String> labels = new TreeMap<>();
            if (kind != Kind.NONE) {
                storageClass.allowedTopologies().stream()
                        .limit(1)
                        .flatMap(term -> expressions(term).stream())
                        .forEach(expression -> Trees.texts(expression, "values").stream()
                                .findFirst()
                                .ifPresent(value -> labels.put(Trees.text(expression, "key"), value)));
            }
            return new Topology(labels);
        }

        /** As a volume says it; empty where all nodes will do. */
        Optional<JsonObject> nodeAffinity() {
            if (labels.isEmpty()) {
                return Optional.empty();
            }
            List<JsonObject> expressions = labels.entrySet().stream()
                    .map(label ->
                            Trees.of("key", label.getKey(), "operator", "In", "values", List.of(label.getValue())))
                    .toList();
            JsonObject terms = Trees.of("nodeSelectorTerms", List.of(Trees.of("matchExpressions", expressions)));
            return Optional.of(Trees.of("required", terms));
        }

        private static boolean allows(JsonObject term, StoredObject node) {
            return expressions(term).stream()
                    .allMatch(expression ->
                            Trees.texts(expression, "values").contains(label(node, Trees.text(expression, "key"))));
        }

        private static List<JsonObject> expressions(JsonObject term) {
            return Trees.objects(term, "matchLabelExpressions");
        }

        private static String label(StoredObject node, String name) {
            return Trees.text(node.tree(), "metadata", "labels", name);
        }
    }
}
