package io.evenkeel.plugins.devices;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.ObjectPatch.Form;
import io.evenkeel.api.ObjectPatch.Time;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.framework.ReversiblePreparation;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus.Mapping;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceAllocation.Result;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceClaim.Condition;
import io.evenkeel.model.device.ResourceClaim.DeviceState;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.plugins.devices.DeviceBook.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes into a pod's claims which devices they have, and that the pod uses them; then waits for devices that are made ready once
 * they are allocated.
 *
 * <pre>
 *   a claim with devices for this pod      the finalizer; then the devices and the pod, unless somebody has changed the claim
 *   a claim that has its devices           the pod; it is waited for, to see whether these are still its devices
 *   the claim of extended resources        it is made; the pod says which it is; then as any other
 *   the pod is not bound after all         the pod is taken out again; of devices that did not get ready, the devices too; and
 *                                          the claim of extended resources is deleted
 * </pre>
 */
final class DevicePreparation implements ReversiblePreparation {
    private static final String FINALIZER = "resource.kubernetes.io/delete-protection";
    private static final ObjectWriter WRITER = new ObjectWriter();
    private static final ResourceClaim.Spec NO_SPEC = new ResourceClaim.Spec(List.of(), List.of(), List.of());

    private final ObjectStore objects;
    private final DeviceBook book;
    private final Pod pod;
    private final String node;
    private final Duration timeLimit;
    private final boolean heedsConditions;
    private final List<ResourceClaim> with;
    private final List<ResourceClaim> without;
    private final Supplier<List<DeviceAllocation>> given;
    private final List<Mapping> mappings;
    /** None before they are to be written. */
    private final List<Part> parts = new ArrayList<>();

    private boolean waitedForDevices;
    /** How long ago devices were allocated by an earlier decision, in seconds; the claim that has had them longest. */
    private long waitedBefore;

    private String waitsLongest = "";

    /** One of the claims. */
    private static final class Part {
        final ResourceClaim claim;
        final DeviceAllocation allocation;
        /** Whether the devices are this pod's decision. */
        final boolean isNew;

        /** Whether it is the claim of extended resources, and is made here. */
        final boolean isOwn;

        final List<ObjectPatch> writes = new ArrayList<>();
        /** Empty as long as it is not made, or where the server did not say. */
        String madeAs = "";

        boolean isReserved;
        Written written;

        Part(ResourceClaim claim, DeviceAllocation allocation, boolean isNew) {
            this.claim = claim;
            this.allocation = allocation;
            this.isNew = isNew;
            this.isOwn = isNew && isMadeHere(claim);
            this.written = new Written(claim.meta().resourceVersion(), "");
        }

        ObjectName name() {
            return nameOf(claim);
        }
    }

    /**
     * Nothing is written yet.
     *
     * @param with claims that have devices already
     * @param given devices for the claims without; asked once, when they are to be written
     * @param mappings which container uses which request of the claim of extended resources
     * @param heedsConditions whether it is waited for devices at all
     */
    DevicePreparation(
            ObjectStore objects,
            DeviceBook book,
            Pod pod,
            String node,
            List<ResourceClaim> with,
            List<ResourceClaim> without,
            Supplier<List<DeviceAllocation>> given,
            List<Mapping> mappings,
            Duration timeLimit,
            boolean heedsConditions) {
        this.objects = objects;
        this.book = book;
        this.pod = pod;
        this.node = node;
        this.timeLimit = timeLimit;
        this.heedsConditions = heedsConditions;
        this.with = with;
        this.without = without;
        this.given = given;
        this.mappings = mappings;
    }

    private void plan() {
        with.forEach(claim -> parts.add(
                new Part(claim, book.assumed(claim).or(claim::allocation).orElseThrow(), false)));
        List<DeviceAllocation> allocations = given.get();
        for (int i = 0; i < without.size(); i++) {
            parts.add(new Part(without.get(i), allocations.get(i), true));
        }
        parts.forEach(part -> plan(part, mappings));
    }

    private void plan(Part part, List<Mapping> mappings) {
        ResourceClaim claim = part.claim;
        if (part.isNew) {
            if (part.isOwn) {
                part.writes.add(made(claim));
                part.writes.add(told(claim, mappings));
            } else {
                part.writes.add(new ObjectPatch(
                        Kinds.RESOURCE_CLAIM,
                        claim.meta(),
                        Map.of("metadata", Map.of("finalizers", List.of(FINALIZER))),
                        Form.MERGE_LISTS));
            }
            Map<String, @Nullable Object> status = new LinkedHashMap<>();
            status.put("allocation", written(claim, part.allocation));
            status.put("reservedFor", List.of(consumer()));
            part.writes.add(status(claim.meta(), status));
        } else {
            // also where the pod is entered already by the last news: it may have been taken out since
            part.writes.add(status(whatever(claim.meta()), Map.of("reservedFor", List.of(consumer()))));
        }
    }

    private ObjectPatch made(ResourceClaim claim) {
        Map<String, @Nullable Object> owner =
                Map.of("apiVersion", "v1", "kind", "Pod", "name", pod.name(), "uid", uid(), "controller", true);
        return new ObjectPatch(
                Kinds.RESOURCE_CLAIM,
                claim.meta(),
                Map.of(
                        "metadata",
                        Map.of(
                                "annotations", claim.meta().annotations().asMap(),
                                "finalizers", List.of(FINALIZER),
                                "ownerReferences", List.of(owner)),
                        "spec",
                        object(WRITER.fields(claim), "spec")),
                Form.CREATE);
    }

    /** Comes before the devices are written, so that these are the last that can fail. */
    private ObjectPatch told(ResourceClaim claim, List<Mapping> mappings) {
        List<Map<String, @Nullable Object>> requests = new ArrayList<>();
        for (Mapping each : mappings) {
            requests.add(Map.of(
                    "containerName", each.container(),
                    "resourceName", each.resource(),
                    "requestName", each.request()));
        }
        return new ObjectPatch(
                Kinds.POD,
                whatever(pod.meta()),
                Map.of(
                        "status",
                        Map.of(
                                "extendedResourceClaimStatus",
                                Map.of("resourceClaimName", claim.meta().name(), "requestMappings", requests))),
                Form.STATUS);
    }

    /** Deletes a claim that was made for a pod's extended resources, whatever has become of it. */
    static List<ObjectPatch> deletion(ResourceClaim claim) {
        return deletion(claim.meta(), claim.meta().uid());
    }

    /** Not of another that has taken its name since. */
    private static List<ObjectPatch> deletion(ObjectMeta claim, String uid) {
        ObjectMeta object = whatever(claim, uid);
        return List.of(
                new ObjectPatch(
                        Kinds.RESOURCE_CLAIM,
                        object,
                        Map.of("metadata", Map.of("$deleteFromPrimitiveList/finalizers", List.of(FINALIZER))),
                        Form.MERGE_LISTS),
                new ObjectPatch(Kinds.RESOURCE_CLAIM, object, Map.of(), Form.DELETE));
    }

    private String uid() {
        return pod.meta().uid();
    }

    private static ObjectPatch status(ObjectMeta claim, Map<String, @Nullable Object> status) {
        return new ObjectPatch(Kinds.RESOURCE_CLAIM, claim, Map.of("status", status), Form.STATUS);
    }

    /** An object in whatever version: many pods enter one claim at once, and the server merges them by UID. */
    private static ObjectMeta whatever(ObjectMeta meta) {
        return whatever(meta, meta.uid());
    }

    private static ObjectMeta whatever(ObjectMeta meta, String uid) {
        return new ObjectMeta(meta.namespace(), meta.name(), uid, Labels.EMPTY, Optional.empty(), false);
    }

    private Map<String, @Nullable Object> consumer() {
        return Map.of("resource", "pods", "name", pod.name(), "uid", uid());
    }

    private Map<String, @Nullable Object> written(ResourceClaim claim, DeviceAllocation allocation) {
        Map<String, @Nullable Object> status = object(
                WRITER.fields(new ResourceClaim(claim.meta(), NO_SPEC, Optional.of(allocation), List.of(), List.of())),
                "status");
        Map<String, @Nullable Object> fields = object(status, "allocation");
        if (heedsConditions) {
            fields.put("allocationTimestamp", Time.NOW);
        }
        return fields;
    }

    @SuppressWarnings("unchecked") // the object's table says so
    private static Map<String, @Nullable Object> object(Map<String, @Nullable Object> fields, String name) {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(fields.get(name));
    }

    /** Takes the claim's devices away, unless somebody has changed it. */
    static ObjectPatch deallocation(ResourceClaim claim) {
        Map<String, @Nullable Object> status = new LinkedHashMap<>();
        status.put("allocation", null);
        status.put("reservedFor", null);
        status.put("devices", null);
        return status(claim.meta(), status);
    }

    /**
     * The claims that have got their devices by this pod's decision, as long as the server has not been told. The claim that was made
     * goes with the decision, and has its devices until the server has deleted it.
     */
    List<ResourceClaim> unwritten() {
        return parts.isEmpty()
                ? without
                : parts.stream()
                        .filter(part -> part.isNew && !part.isReserved)
                        .map(part -> part.claim)
                        .toList();
    }

    @Override
    public List<ObjectPatch> writes() {
        if (parts.isEmpty()) {
            plan();
        }
        return parts.stream().flatMap(part -> part.writes.stream()).toList();
    }

    @Override
    public void wrote(ObjectPatch write, String uid, String version, long at) {
        for (Part part : parts) {
            if (!part.isNew && at > 0 && part.writes.contains(write) && isAwaited(part)) {
                countFrom(part, at);
            }
            if (part.isOwn && part.writes.getFirst() == write) {
                part.madeAs = uid;
            }
            if (write.kind().equals(Kinds.RESOURCE_CLAIM)
                    && part.writes.stream().anyMatch(own -> own == write)) {
                part.written = part.written.then(version);
            }
            if (!part.writes.isEmpty() && part.writes.getLast() == write) {
                part.isReserved = true;
                book.written(part.claim, part.written);
            }
        }
    }

    @Override
    public String refusal(ObjectPatch write, String why) {
        if (write.form() == Form.CREATE) {
            return "create claim for extended resources " + write.object().key() + ": " + why;
        }
        if (write.kind().equals(Kinds.POD)) {
            return "update pod " + pod.key() + " ExtendedResourceClaimStatus: " + why;
        }
        String what = write.form() == Form.MERGE_LISTS
                ? "add finalizer"
                : parts.stream().anyMatch(part -> part.isNew && part.writes.contains(write))
                        ? "add allocation and reservation"
                        : "add reservation";
        return what + " to claim " + write.object().key() + ": " + why;
    }

    /** Pods that come later, or a scheduler that has started again, wait no longer than the one that got the devices. */
    private void countFrom(Part part, long now) {
        String since = part.allocation.timestamp();
        long waited = since.isEmpty() ? 0 : now - Instant.parse(since).getEpochSecond();
        if (waited > waitedBefore) {
            waitedBefore = waited;
            waitsLongest = part.claim.meta().name();
        }
    }

    @Override
    public Duration timeLimit() {
        Duration left = timeLimit.minusSeconds(waitedBefore);
        return waitedForDevices ? left.isNegative() ? Duration.ZERO : left : timeLimit;
    }

    /** Pods that share the devices do not wait for them again, whoever of them is late. */
    @Override
    public String lateness() {
        parts.stream()
                .filter(part -> isAwaited(part)
                        && (waitsLongest.isEmpty()
                                || waitsLongest.equals(part.claim.meta().name())))
                .forEach(part ->
                        now(part.claim).filter(claim -> has(claim, part)).ifPresent(book::giveUp));
        return "device binding timeout: "
                + (waitsLongest.isEmpty() ? "context deadline exceeded" : "claim=" + waitsLongest);
    }

    @Override
    public Optional<Notice> notice() {
        return drivers().isEmpty()
                ? Optional.empty()
                : Optional.of(new Notice(
                        "BindingConditionsPending", "waiting for binding conditions for device on node " + node));
    }

    @Override
    public Set<String> drivers() {
        Set<String> drivers = new TreeSet<>();
        parts.stream()
                .flatMap(part -> part.allocation.results().stream())
                .filter(this::hasConditions)
                .forEach(result -> drivers.add(result.driver()));
        return drivers;
    }

    private boolean isAwaited(Part part) {
        return part.allocation.results().stream().anyMatch(this::hasConditions);
    }

    private boolean hasConditions(Result result) {
        return heedsConditions && !result.bindingConditions().isEmpty();
    }

    @Override
    public Progress progress() {
        Set<ObjectName> missing = new HashSet<>();
        for (Part part : parts) {
            Progress progress = progress(part);
            if (progress instanceof Progress.Failed) {
                return progress;
            }
            if (progress instanceof Progress.Waiting) {
                missing.add(part.name());
            }
        }
        return missing.isEmpty() ? Progress.DONE : new Progress.Waiting(missing);
    }

    /** The server has said that new devices are written; whether others are still the same, it has to show. */
    private Progress progress(Part part) {
        boolean waits = isAwaited(part);
        if (part.isNew && !waits) {
            return Progress.DONE;
        }
        Optional<ResourceClaim> now = now(part.claim);
        if (now.isEmpty()) {
            return new Progress.Failed("resourceclaim \"" + part.claim.key() + "\" not found");
        }
        if (!now.get().isReservedFor(uid()) || !part.written.isShownBy(now.get())) {
            return new Progress.Waiting(Set.of(part.name()));
        }
        if (!has(now.get(), part)) {
            return new Progress.Failed("claim " + part.claim.key() + " got allocated elsewhere in the meantime");
        }
        waitedForDevices |= waits;
        return waits ? readiness(now.get()) : Progress.DONE;
    }

    private static boolean has(ResourceClaim claim, Part part) {
        return claim.allocation().map(DeviceAllocation::results).equals(Optional.of(part.allocation.results()));
    }

    private Progress readiness(ResourceClaim claim) {
        for (Result result : claim.allocation().orElseThrow().results()) {
            if (!hasConditions(result)) {
                continue;
            }
            List<Condition> conditions = conditions(claim, result);
            Optional<Condition> failure = failure(conditions, result);
            if (failure.isPresent()) {
                return new Progress.Failed("claim " + claim.meta().name() + " binding failed: reason="
                        + failure.get().reason() + ", message=\""
                        + failure.get().message() + '"');
            }
            if (!isReady(conditions, result)) {
                return new Progress.Waiting(Set.of(nameOf(claim)));
            }
        }
        return Progress.DONE;
    }

    private static boolean isReady(List<Condition> conditions, Result result) {
        return result.bindingConditions().stream()
                .allMatch(type -> conditions.stream()
                        .anyMatch(condition ->
                                isTrue(condition) && condition.type().equals(type)));
    }

    /** Whether all of a claim's devices say that they are ready. */
    static boolean isReady(ResourceClaim claim) {
        return claim.allocation().stream()
                .flatMap(allocation -> allocation.results().stream())
                .allMatch(result -> isReady(conditions(claim, result), result));
    }

    /** Whether a device says that it cannot be made ready. */
    static boolean isFailing(ResourceClaim claim) {
        return claim.allocation().stream()
                .flatMap(allocation -> allocation.results().stream())
                .filter(result -> !result.bindingConditions().isEmpty())
                .anyMatch(result -> failure(conditions(claim, result), result).isPresent());
    }

    /** The first of a device's conditions that says so. */
    private static Optional<Condition> failure(List<Condition> conditions, Result result) {
        return conditions.stream()
                .filter(condition ->
                        isTrue(condition) && result.bindingFailureConditions().contains(condition.type()))
                .findFirst();
    }

    private static List<Condition> conditions(ResourceClaim claim, Result result) {
        return claim.devices().stream()
                .filter(state -> state.driver().equals(result.driver())
                        && state.pool().equals(result.pool())
                        && state.device().equals(result.device()))
                .findFirst()
                .map(DeviceState::conditions)
                .orElse(List.of());
    }

    private static boolean isTrue(Condition condition) {
        return condition.status().equals("True");
    }

    private static ObjectName nameOf(ResourceClaim claim) {
        return new ObjectName(Kinds.RESOURCE_CLAIM.name(), claim.key());
    }

    /** Others can have its annotation, but have a UID. */
    private static boolean isMadeHere(ResourceClaim claim) {
        return claim.meta().uid().isEmpty();
    }

    /** The claim as it is, unless it is another of its name. */
    private Optional<ResourceClaim> now(ResourceClaim claim) {
        return objects.find(Kinds.RESOURCE_CLAIM, claim.key())
                .filter(found -> found.meta().uid().equals(claim.meta().uid())
                        || (isMadeHere(claim)
                                && found.meta().controller().equals(claim.meta().controller())));
    }

    @Override
    public List<ObjectPatch> undo() {
        List<ObjectPatch> patches = new ArrayList<>();
        for (Part part : parts) {
            Optional<ResourceClaim> now = now(part.claim);
            if (part.isOwn) {
                String uid = now.map(claim -> claim.meta().uid()).orElse(part.madeAs);
                if (!uid.isEmpty()) {
                    patches.addAll(deletion(part.claim.meta(), uid));
                }
            } else if (waitedForDevices && now.filter(this::isOfNoUse).isPresent()) {
                patches.add(deallocation(now.get()));
            } else if (part.isReserved
                    || now.filter(claim -> claim.isReservedFor(uid())).isPresent()) {
                patches.add(status(
                        whatever(part.claim.meta()),
                        Map.of("reservedFor", List.of(Map.of("$patch", "delete", "uid", uid())))));
            }
        }
        return patches;
    }

    /** Whether its devices did not get ready, and no other pod waits for them. */
    private boolean isOfNoUse(ResourceClaim claim) {
        return claim.allocation().isPresent()
                && claim.isReservedFor(uid())
                && claim.reservedFor().size() == 1
                && !readiness(claim).equals(Progress.DONE);
    }
}
