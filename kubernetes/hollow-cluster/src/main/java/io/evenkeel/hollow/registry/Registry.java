package io.evenkeel.hollow.registry;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.EventConversion.EventRules;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.Patch;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Objects by resource, namespace and name, read and written by the rules of an API server. */
public final class Registry {

    private final Store store;
    private final Strategies strategies;
    private final Times times;
    private final Quotas quotas;
    private final Creation creation;
    private final Deletion deletion;

    /**
     * A registry of what the store has.
     *
     * @param serviceAccountTokens whether pods get a token volume of random name
     * @param uids gives each object created one of its own
     */
    public Registry(Store store, InstantSource clock, boolean serviceAccountTokens, Supplier<UUID> uids) {
        this.store = store;
        this.times = new Times(clock);
        PodStrategy pods = new PodStrategy(this::priorityClasses, serviceAccountTokens, times::now);
        this.strategies = new Strategies(
                pods,
                name -> find(ResourceTable.STORAGE_CLASSES, "", name).map(StoredObject::tree),
                new DeviceStrategies(this::isForAdministrators, times::now));
        this.quotas = new Quotas(store);
        this.creation = new Creation(store, strategies, quotas, times, uids);
        this.deletion = new Deletion(store, times);
    }

    private List<JsonObject> priorityClasses() {
        return store.list(ResourceTable.PRIORITY_CLASSES.storage(), "").objects().stream()
                .map(StoredObject::tree)
                .toList();
    }

    private boolean isForAdministrators(String namespace) {
        return find(ResourceTable.NAMESPACES, "", namespace)
                .filter(found -> Trees.text(found.tree(), "metadata", "labels", "resource.kubernetes.io/admin-access")
                        .equals("true"))
                .isPresent();
    }

    public Store store() {
        return store;
    }

    public Times times() {
        return times;
    }

    /** Whether a deletion is answered with the object instead of a Status. */
    public boolean returnsDeleted(ResourceType type) {
        return strategies.of(type).returnsDeleted();
    }

    public Optional<StoredObject> find(ResourceType type, String namespace, String name) {
        return store.get(new ObjectKey(type.storage(), type.namespaced() ? namespace : "", name));
    }

    public Optional<StoredObject> find(ResourceType type, ObjectKey key) {
        return find(type, key.namespace(), key.name());
    }

    public StoredObject get(ResourceType type, String namespace, String name) {
        return find(type, namespace, name).orElseThrow(() -> Refusals.notFound(type, name));
    }

    /** Creates what was sent; the tree belongs to the registry from then on. */
    public StoredObject create(ResourceType type, String namespace, JsonObject sent, boolean dryRun) {
        return creation.create(type, namespace, sent, dryRun);
    }

    /**
     * Takes in an object as another server had it: with its UID, its times, its status and, where that is later than what is here, its
     * version. What a kubelet or a controller says of it there is not asked for.
     */
    public StoredObject restore(ResourceType type, String namespace, JsonObject sent) {
        return creation.restore(type, namespace, sent);
    }

    /** The form in which an object of another server would be taken in. */
    public JsonObject restored(ResourceType type, String namespace, JsonObject sent) {
        return creation.restored(type, namespace, sent.deepCopy());
    }

    /** Counts again what its namespace uses of a ResourceQuota. */
    public void recount(ObjectKey quota) {
        quotas.recount(quota, recount -> edit(ResourceTable.RESOURCE_QUOTAS, quota, recount));
    }

    /** Puts what was sent in the place of an object, or of its status. */
    public Written update(
            ResourceType type, String namespace, String name, JsonObject sent, Part part, boolean dryRun) {
        Strategy strategy = strategies.of(type);
        if (strategy.allowsCreateOnUpdate() && find(type, namespace, name).isEmpty()) {
            return new Written(create(type, namespace, sent, dryRun), true);
        }
        JsonObject metadata = Trees.ensureObject(sent, "metadata");
        String uid = Trees.text(metadata, "uid");
        boolean noVersion = Trees.text(metadata, "resourceVersion").isEmpty();
        Update update = new Update(type, strategy, part);
        StoredObject updated = change(type, namespace, name, dryRun, current -> {
            String actual = Trees.text(current, "metadata", "uid");
            if (!uid.isEmpty() && !uid.equals(actual)) {
                throw Refusals.otherUid(type, namespace, name, uid, actual);
            }
            if (noVersion && !strategy.allowsUnconditionalUpdate()) {
                FieldErrors errors = new FieldErrors();
                errors.invalidLiteral("metadata.resourceVersion", "0x0", "must be specified for an update");
                errors.refuse(type.group(), type.kind(), name);
            }
            return update.next(current, sent.deepCopy());
        });
        return new Written(updated, false);
    }

    public StoredObject patch(
            ResourceType type, String namespace, String name, Patch patch, Part part, boolean dryRun) {
        Update update = new Update(type, strategies.of(type), part);
        return change(type, namespace, name, dryRun, current -> {
            JsonObject served = EventConversion.toServed(type, current).deepCopy();
            return update.next(current, patch.applyTo(type.typed(served)));
        });
    }

    /** Changes an object, however often others come between; a change that changes nothing writes nothing. */
    public StoredObject change(
            ResourceType type, String namespace, String name, boolean dryRun, UnaryOperator<JsonObject> change) {
        while (true) {
            StoredObject current = get(type, namespace, name);
            JsonObject next = change.apply(current.copy());
            if (next.equals(current.tree())) {
                return current;
            }
            if (dryRun) {
                return StoredObject.unsaved(current.key(), next);
            }
            boolean ends = isFinished(StoredObject.unsaved(current.key(), next));
            Optional<StoredObject> written = ends ? store.remove(current) : store.replace(current, next);
            if (written.isPresent()) {
                return written.get();
            }
        }
    }

    /** Changes an object by an edit of its tree. */
    public StoredObject edit(ResourceType type, ObjectKey key, Consumer<JsonObject> edit) {
        return change(type, key.namespace(), key.name(), false, tree -> {
            edit.accept(tree);
            return tree;
        });
    }

    /** Puts a pod on a node, as a Binding says. */
    public StoredObject bind(String namespace, String pod, JsonObject binding, boolean dryRun) {
        return Binding.bind(this, namespace, pod, binding, dryRun);
    }

    public StoredObject bind(String namespace, String pod, String node) {
        return bind(namespace, pod, Trees.of("target", Trees.of("name", node)), false);
    }

    public Deleted delete(ResourceType type, String namespace, String name, DeleteOptions options) {
        while (true) {
            Optional<Deleted> deleted = deletion.attempt(type, get(type, namespace, name), options);
            if (deleted.isPresent()) {
                return deleted.get();
            }
        }
    }

    /** Deletes as a user does; answers whether it was there. */
    public boolean deleteFound(ResourceType type, ObjectKey key) {
        boolean found = find(type, key).isPresent();
        if (found) {
            delete(type, key.namespace(), key.name(), DeleteOptions.DEFAULT);
        }
        return found;
    }

    /** Counts a change of what metadata.generation counts. */
    public static void bumpGeneration(JsonObject tree) {
        Trees.number(tree, "metadata", "generation")
                .ifPresent(generation -> tree.getAsJsonObject("metadata").addProperty("generation", generation + 1));
    }

    /** Whether an object only waited for its last finalizer to be removed: watches see it go, and not first without it. */
    private static boolean isFinished(StoredObject object) {
        JsonObject metadata = object.tree().getAsJsonObject("metadata");
        return metadata.has("deletionTimestamp")
                && !metadata.has("finalizers")
                && Trees.number(metadata, "deletionGracePeriodSeconds").orElse(0L) == 0
                && !object.key().table().equals("namespaces");
    }

    /** The object that was deleted or marked, and whether it is gone. */
    public record Deleted(StoredObject object, boolean gone) {}

    /** A write's result, and whether it created the object. */
    public record Written(StoredObject object, boolean created) {}

    /** The part of an object that a write is about. */
    public enum Part {
        OBJECT,
        STATUS
    }

    /** Puts a pod on a node. It does not ask whether there is such a node, or room on it: that is the scheduler's affair. */
    private static final class Binding {

        private static final List<String> COPIED_LABELS =
                List.of("topology.kubernetes.io/region", "topology.kubernetes.io/zone");

        private Binding() {}

        static StoredObject bind(Registry registry, String namespace, String name, JsonObject binding, boolean dryRun) {
            check(name, binding);
            String node = Trees.text(binding, "target", "name");
            return registry.change(ResourceTable.PODS, namespace, name, dryRun, pod -> {
                checkPod(namespace, name, pod, binding);
                JsonObject metadata = pod.getAsJsonObject("metadata");
                copy(binding, "labels", metadata);
                copy(binding, "annotations", metadata);
                registry.find(ResourceTable.NODES, "", node).ifPresent(found -> copyTopology(found, metadata));
                pod.getAsJsonObject("spec").addProperty("nodeName", node);
                Trees.ensureObject(pod, "status").remove("nominatedNodeName");
                Conditions.put(
                        pod,
                        Conditions.ofPod(
                                "PodScheduled", "True", registry.times().now()));
                return pod;
            });
        }

        private static void check(String name, JsonObject binding) {
            String given = Trees.text(binding, "metadata", "name");
            if (!given.isEmpty() && !given.equals(name)) {
                throw Refusals.badRequest("name in URL does not match name in Binding object");
            }
            FieldErrors errors = new FieldErrors();
            String kind = Trees.text(binding, "target", "kind");
            if (!kind.isEmpty() && !kind.equals("Node")) {
                errors.notSupported("target.kind", kind, List.of("Node", "<empty>"));
            }
            if (Trees.text(binding, "target", "name").isEmpty()) {
                errors.required("target.name", "");
            }
            errors.refuse("", "Binding", name);
        }

        private static void checkPod(String namespace, String name, JsonObject pod, JsonObject binding) {
            String uid = Trees.text(binding, "metadata", "uid");
            String actual = Trees.text(pod, "metadata", "uid");
            if (!uid.isEmpty() && !uid.equals(actual)) {
                throw Refusals.otherUid(ResourceTable.PODS, namespace, name, uid, actual);
            }
            String version = Trees.text(binding, "metadata", "resourceVersion");
            if (!version.isEmpty() && !version.equals(Trees.text(pod, "metadata", "resourceVersion"))) {
                throw Refusals.modified(ResourceTable.PODS, name);
            }
            if (Trees.at(pod, "metadata", "deletionTimestamp").isPresent()) {
                throw conflict(name, "pod " + name + " is being deleted, cannot be assigned to a host");
            }
            String node = Trees.text(pod, "spec", "nodeName");
            if (!node.isEmpty()) {
                throw conflict(name, "pod " + name + " is already assigned to node \"" + node + "\"");
            }
            if (!Trees.objects(pod, "spec", "schedulingGates").isEmpty()) {
                throw conflict(name, "pod " + name + " has non-empty .spec.schedulingGates");
            }
        }

        private static ApiException conflict(String name, String why) {
            return Refusals.conflict("", "pods/binding", name, why);
        }

        private static void copy(JsonObject binding, String map, JsonObject metadata) {
            Trees.object(binding, "metadata", map).ifPresent(from -> {
                JsonObject to = Trees.ensureObject(metadata, map);
                from.entrySet()
                        .forEach(
                                entry -> to.add(entry.getKey(), entry.getValue().deepCopy()));
            });
        }

        private static void copyTopology(StoredObject node, JsonObject metadata) {
            for (String label : COPIED_LABELS) {
                String value = Trees.text(node.tree(), "metadata", "labels", label);
                if (!value.isEmpty()) {
                    Trees.ensureObject(metadata, "labels").addProperty(label, value);
                }
            }
        }
    }

    /** Makes a sent object into one to be stored: named, dated, completed, admitted, checked. */
    private record Creation(Store store, Strategies strategies, Quotas quotas, Times times, Supplier<UUID> uids) {

        /** The order in which a real server shows metadata. */
        private static final List<String> SHOWN_AFTER =
                List.of("labels", "annotations", "ownerReferences", "finalizers");

        /** What stays as it was on another server. */
        private static final List<String> KEPT =
                List.of("uid", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds");

        StoredObject create(ResourceType type, String namespace, JsonObject sent, boolean dryRun) {
            Decoding.check(type, sent);
            Update.EmptyMembers.removeFrom(sent);
            JsonObject metadata = Trees.ensureObject(sent, "metadata");
            String sentVersion = Trees.text(metadata, "resourceVersion");
            if (!sentVersion.isEmpty() && !sentVersion.equals("0")) {
                throw Refusals.refuse(500, "", "resourceVersion should not be set on objects to be created");
            }
            checkNamespace(type, namespace, metadata);
            Strategy strategy = strategies.of(type);
            String name = NameRules.of(metadata);
            JsonObject tree =
                    Update.arranged(freshMetadata(metadata, type, namespace, name, strategy.tracksGeneration()), sent);
            FieldErrors errors = new FieldErrors();
            NameRules.object(type, name, errors);
            JsonObject stored = EventConversion.toStored(type, tree);
            if (type.storage().equals(ResourceTable.EVENTS.storage())) {
                EventRules.check(type, stored, errors);
            }
            refuse(errors, type, name);
            strategy.prepareForCreate(stored);
            strategy.complete(stored);
            strategy.validate(stored, errors);
            refuse(errors, type, name);
            ObjectKey key = new ObjectKey(type.storage(), type.namespaced() ? namespace : "", name);
            return quotas.within(
                    type,
                    key.namespace(),
                    stored,
                    dryRun,
                    () -> dryRun
                            ? StoredObject.unsaved(key, stored)
                            : store.create(key, stored).orElseThrow(() -> Refusals.alreadyExists(type, name)));
        }

        StoredObject restore(ResourceType type, String namespace, JsonObject sent) {
            String version = Trees.text(sent, "metadata", "resourceVersion");
            JsonObject stored = restored(type, namespace, sent);
            return store.restore(
                    new ObjectKey(
                            type.storage(), type.namespaced() ? namespace : "", Trees.text(stored, "metadata", "name")),
                    stored,
                    version.matches("[0-9]{1,18}") ? Long.parseLong(version) : 0);
        }

        JsonObject restored(ResourceType type, String namespace, JsonObject sent) {
            Decoding.check(type, sent);
            Update.EmptyMembers.removeFrom(sent);
            JsonObject given = Trees.ensureObject(sent, "metadata");
            String name = Trees.text(given, "name");
            FieldErrors errors = new FieldErrors();
            NameRules.object(type, name, errors);
            refuse(errors, type, name);
            Strategy strategy = strategies.of(type);
            JsonObject metadata = freshMetadata(given, type, namespace, name, strategy.tracksGeneration());
            KEPT.stream().filter(given::has).forEach(member -> metadata.add(member, given.get(member)));
            JsonObject stored = EventConversion.toStored(type, Update.arranged(metadata, sent));
            strategy.complete(stored);
            return stored;
        }

        private void checkNamespace(ResourceType type, String namespace, JsonObject metadata) {
            if (!type.namespaced()) {
                return;
            }
            String given = Trees.text(metadata, "namespace");
            if (!given.isEmpty() && !given.equals(namespace)) {
                throw Refusals.badRequest(
                        "the namespace of the provided object does not match the namespace sent on the request");
            }
            StoredObject found = store.get(new ObjectKey(ResourceTable.NAMESPACES.storage(), "", namespace))
                    .orElseThrow(() -> Refusals.notFound(ResourceTable.NAMESPACES, namespace));
            if (found.tree().getAsJsonObject("metadata").has("deletionTimestamp")) {
                throw Refusals.forbidden(
                        type,
                        Trees.text(metadata, "name"),
                        "unable to create new content in namespace " + namespace + " because it is being terminated");
            }
        }

        private JsonObject freshMetadata(
                JsonObject sent, ResourceType type, String namespace, String name, boolean generation) {
            JsonObject metadata = Trees.of("name", name);
            if (sent.has("generateName")) {
                metadata.add("generateName", sent.get("generateName"));
            }
            if (type.namespaced()) {
                metadata.addProperty("namespace", namespace);
            }
            metadata.addProperty("uid", uids.get().toString());
            metadata.addProperty("resourceVersion", "");
            if (generation) {
                metadata.addProperty("generation", 1);
            }
            metadata.addProperty("creationTimestamp", times.now());
            SHOWN_AFTER.stream()
                    .filter(sent::has)
                    .filter(member -> !(sent.get(member) instanceof JsonObject map && map.isEmpty()))
                    .forEach(member -> metadata.add(member, sent.get(member)));
            return metadata;
        }

        private static void refuse(FieldErrors errors, ResourceType type, String name) {
            // both versions of events are checked as the one they are stored in
            errors.refuse(type.equals(ResourceTable.NEW_EVENTS) ? "" : type.group(), type.kind(), name);
        }
    }

    /**
     * Deletes objects. A pod on a node is only marked, and goes when its node's agent deletes it with a grace period of zero;
     * an object with finalizers is only marked, and goes with the last of them. A namespace takes along what is in it.
     */
    private record Deletion(Store store, Times times) {

        /** Empty if another write has come between. */
        Optional<Deleted> attempt(ResourceType type, StoredObject current, DeleteOptions options) {
            checkPreconditions(type, current, options);
            if (options.dryRun()) {
                return Optional.of(new Deleted(current, true));
            }
            return switch (type.storage()) {
                case "pods" -> deletePod(current, options);
                case "namespaces" -> deleteNamespace(current);
                default -> deletePlain(current);
            };
        }

        private Optional<Deleted> deletePod(StoredObject pod, DeleteOptions options) {
            JsonObject metadata = pod.tree().getAsJsonObject("metadata");
            long grace = gracePeriod(pod.tree(), options);
            if (metadata.has("deletionTimestamp")) {
                long pending =
                        Trees.number(metadata, "deletionGracePeriodSeconds").orElse(0L);
                if (options.gracePeriodSeconds().isEmpty()
                        || options.gracePeriodSeconds().get() >= pending) {
                    boolean waits = pending > 0 || metadata.has("finalizers");
                    return waits ? Optional.of(new Deleted(pod, false)) : removed(store.remove(pod));
                }
                Instant end =
                        Instant.parse(Trees.text(metadata, "deletionTimestamp")).plusSeconds(grace - pending);
                return markedAndPerhapsRemoved(pod, Times.format(end), grace, false);
            }
            return markedAndPerhapsRemoved(pod, times.in(grace), grace, true);
        }

        private Optional<Deleted> markedAndPerhapsRemoved(
                StoredObject pod, String timestamp, long grace, boolean first) {
            Optional<StoredObject> marked = store.replace(pod, marked(pod, timestamp, grace, first));
            if (marked.isEmpty() || grace > 0 || hasFinalizers(pod)) {
                return marked.map(object -> new Deleted(object, false));
            }
            return removed(store.remove(marked.get())).or(() -> goneMeanwhile(marked.get()));
        }

        /** The node's agent may have removed the marked pod first: then it is gone, as the request wanted. */
        private Optional<Deleted> goneMeanwhile(StoredObject pod) {
            boolean isThere = store.get(pod.key())
                    .filter(found -> found.uid().equals(pod.uid()))
                    .isPresent();
            return isThere ? Optional.empty() : Optional.of(new Deleted(pod, true));
        }

        private static long gracePeriod(JsonObject pod, DeleteOptions options) {
            String phase = Trees.text(pod, "status", "phase");
            if (Trees.text(pod, "spec", "nodeName").isEmpty() || phase.equals("Failed") || phase.equals("Succeeded")) {
                return 0;
            }
            long asked = options.gracePeriodSeconds()
                    .or(() -> Trees.number(pod, "spec", "terminationGracePeriodSeconds"))
                    .orElse(30L);
            return asked < 0 ? 1 : asked;
        }

        private Optional<Deleted> deletePlain(StoredObject object) {
            if (!hasFinalizers(object)) {
                return removed(store.remove(object));
            }
            if (object.tree().getAsJsonObject("metadata").has("deletionTimestamp")) {
                return Optional.of(new Deleted(object, false));
            }
            return store.replace(object, marked(object, times.now(), 0, true))
                    .map(marked -> new Deleted(marked, false));
        }

        private Optional<Deleted> deleteNamespace(StoredObject namespace) {
            JsonObject terminating = marked(namespace, times.now(), 0, true);
            terminating.getAsJsonObject("metadata").remove("deletionGracePeriodSeconds");
            Trees.ensureObject(terminating, "status").addProperty("phase", "Terminating");
            Optional<StoredObject> marked = store.replace(namespace, terminating);
            marked.ifPresent(object -> {
                for (ResourceType type : ResourceTable.ALL) {
                    if (type.namespaced() && type.stored()) {
                        store.list(type.storage(), namespace.name()).objects().forEach(store::remove);
                    }
                }
                store.remove(object);
            });
            return marked.map(object -> new Deleted(object, false));
        }

        private static JsonObject marked(StoredObject object, String timestamp, long grace, boolean first) {
            JsonObject tree = object.copy();
            JsonObject metadata = tree.getAsJsonObject("metadata");
            metadata.addProperty("deletionTimestamp", timestamp);
            metadata.addProperty("deletionGracePeriodSeconds", grace);
            if (first) {
                Registry.bumpGeneration(tree);
            }
            return tree;
        }

        private static Optional<Deleted> removed(Optional<StoredObject> object) {
            return object.map(gone -> new Deleted(gone, true));
        }

        private static boolean hasFinalizers(StoredObject object) {
            return !Trees.texts(object.tree(), "metadata", "finalizers").isEmpty();
        }

        private static void checkPreconditions(ResourceType type, StoredObject object, DeleteOptions options) {
            JsonObject tree = object.tree();
            String name = object.name();
            String uid = Trees.text(tree, "metadata", "uid");
            if (!options.uid().isEmpty() && !options.uid().equals(uid)) {
                throw Refusals.conflict(
                        type.group(),
                        type.kind(),
                        name,
                        ("the UID in the precondition (%s) does not match the UID in record (%s). The object might have"
                                        + " been deleted and then recreated")
                                .formatted(options.uid(), uid));
            }
            String version = Trees.text(tree, "metadata", "resourceVersion");
            if (!options.resourceVersion().isEmpty()
                    && !options.resourceVersion().equals(version)) {
                throw Refusals.conflict(
                        type.group(),
                        type.kind(),
                        name,
                        ("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s)."
                                        + " The object might have been modified")
                                .formatted(options.resourceVersion(), version));
            }
        }
    }

    /** Makes what a client wants of an object into its next state: who it is stays, the rest is checked. */
    private record Update(ResourceType type, Strategy strategy, Part part) {

        private static final List<String> IDENTITY = List.of(
                "name",
                "generateName",
                "namespace",
                "uid",
                "resourceVersion",
                "generation",
                "creationTimestamp",
                "deletionTimestamp",
                "deletionGracePeriodSeconds");

        /** The next state in place of {@code current}, from the served form that is wanted. */
        JsonObject next(JsonObject current, JsonObject wanted) {
            Decoding.check(type, wanted);
            checkMetadata(current, wanted);
            JsonObject next = EventConversion.toStored(type, wanted);
            EmptyMembers.removeFrom(next);
            next = part == Part.STATUS ? withStatusOf(current, next) : next;
            JsonObject tree = identified(current, next);
            if (part == Part.OBJECT) {
                strategy.prepareForUpdate(tree, current);
            } else {
                strategy.prepareForStatusUpdate(tree, current);
            }
            strategy.complete(tree);
            FieldErrors errors = new FieldErrors();
            if (part == Part.OBJECT) {
                strategy.validate(tree, errors);
                strategy.validateUpdate(tree, current, errors);
            } else {
                strategy.validateStatusUpdate(tree, current, errors);
            }
            errors.refuse(type.group(), type.kind(), Trees.text(current, "metadata", "name"));
            if (part == Part.OBJECT) {
                strategy.admitUpdate(tree, current);
            }
            if (strategy.tracksGeneration() && !specOf(tree).equals(specOf(current))) {
                Registry.bumpGeneration(tree);
            }
            return tree;
        }

        private void checkMetadata(JsonObject current, JsonObject wanted) {
            JsonObject metadata = Trees.ensureObject(wanted, "metadata");
            String name = Trees.text(current, "metadata", "name");
            String given = Trees.text(metadata, "name");
            if (!given.isEmpty() && !given.equals(name)) {
                throw Refusals.badRequest(
                        "the name of the object (%s) does not match the name on the URL (%s)".formatted(given, name));
            }
            String namespace = Trees.text(metadata, "namespace");
            if (!namespace.isEmpty() && !namespace.equals(Trees.text(current, "metadata", "namespace"))) {
                throw Refusals.badRequest(
                        "the namespace of the provided object does not match the namespace sent on the request");
            }
            String uid = Trees.text(metadata, "uid");
            if (!uid.isEmpty() && !uid.equals(Trees.text(current, "metadata", "uid"))) {
                FieldErrors errors = new FieldErrors();
                // twice: the metadata is validated by the kind and for all kinds
                errors.invalid("metadata.uid", uid, "field is immutable");
                errors.invalid("metadata.uid", uid, "field is immutable");
                errors.refuse(type.group(), type.kind(), name);
            }
            String version = Trees.text(metadata, "resourceVersion");
            if (!version.isEmpty()
                    && !version.equals("0")
                    && !version.equals(Trees.text(current, "metadata", "resourceVersion"))) {
                throw Refusals.modified(type, name);
            }
        }

        private static JsonObject withStatusOf(JsonObject current, JsonObject wanted) {
            JsonObject next = current.deepCopy();
            next.add("metadata", wanted.get("metadata"));
            next.remove("status");
            if (wanted.has("status")) {
                next.add("status", wanted.get("status"));
            }
            return next;
        }

        private static JsonObject identified(JsonObject current, JsonObject wanted) {
            JsonObject before = current.getAsJsonObject("metadata");
            JsonObject after = wanted.getAsJsonObject("metadata");
            JsonObject metadata = new JsonObject();
            IDENTITY.stream().filter(before::has).forEach(member -> metadata.add(member, before.get(member)));
            after.entrySet().stream()
                    .filter(member -> !IDENTITY.contains(member.getKey()))
                    .filter(member -> !member.getKey().equals("managedFields"))
                    .filter(member -> !(member.getValue() instanceof JsonObject map && map.isEmpty()))
                    .forEach(member -> metadata.add(member.getKey(), member.getValue()));
            return arranged(metadata, wanted);
        }

        /** The metadata, then what else is wanted. */
        static JsonObject arranged(JsonObject metadata, JsonObject wanted) {
            JsonObject tree = Trees.of("metadata", metadata);
            wanted.entrySet().stream()
                    .filter(member -> !member.getKey().equals("metadata"))
                    .forEach(member -> tree.add(member.getKey(), member.getValue()));
            return tree;
        }

        private static JsonObject specOf(JsonObject tree) {
            JsonObject spec = new JsonObject();
            tree.asMap().forEach(spec::add);
            spec.remove("metadata");
            spec.remove("status");
            return spec;
        }

        /**
         * Removes nulls and empty lists. A real server loses them between reading and writing, since its types leave out what is
         * empty; without this an untouched field would differ from one that was cleared.
         */
        static final class EmptyMembers {

            private EmptyMembers() {}

            static void removeFrom(JsonObject tree) {
                tree.entrySet().removeIf(member -> isEmpty(member.getValue()));
                tree.entrySet().forEach(member -> descend(member.getValue()));
            }

            private static void descend(JsonElement element) {
                switch (element) {
                    case JsonObject object -> removeFrom(object);
                    case JsonArray array -> array.forEach(EmptyMembers::descend);
                    default -> {}
                }
            }

            private static boolean isEmpty(JsonElement element) {
                return element instanceof JsonNull || (element instanceof JsonArray array && array.isEmpty());
            }
        }
    }

    /** The server's clock, in whole seconds as metadata shows it. */
    public record Times(InstantSource clock) {

        public Instant instant() {
            return clock.instant();
        }

        public String now() {
            return in(0);
        }

        public String in(long seconds) {
            return format(clock.instant().plusSeconds(seconds));
        }

        public static String format(Instant instant) {
            return instant.truncatedTo(ChronoUnit.SECONDS).toString();
        }
    }

    /** How to delete, and which object was meant: uid and resourceVersion are empty if any will do. */
    public record DeleteOptions(Optional<Long> gracePeriodSeconds, String uid, String resourceVersion, boolean dryRun) {

        public static final DeleteOptions DEFAULT = new DeleteOptions(Optional.empty(), "", "", false);
        public static final DeleteOptions NOW = new DeleteOptions(Optional.of(0L), "", "", false);

        public static DeleteOptions read(JsonObject options) {
            return new DeleteOptions(
                    Trees.number(options, "gracePeriodSeconds"),
                    Trees.text(options, "preconditions", "uid"),
                    Trees.text(options, "preconditions", "resourceVersion"),
                    !Trees.texts(options, "dryRun").isEmpty());
        }

        public DeleteOptions withGracePeriod(long seconds) {
            return new DeleteOptions(Optional.of(seconds), uid, resourceVersion, dryRun);
        }
    }
}
