package io.evenkeel.app.record;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.CommandResult.EvictionFailure;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.read.ObjectReader;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** An API server that keeps objects as they are written, and carries commands out, or not, or says that it did not. */
final class VariedServer {
    private static final int FATES = 12;

    private final SplittableRandom random;
    private final ObjectReader reader;
    private final VariedObjects objects;
    private final Deque<SchedulerEvent> mail;
    /** By kind, and by key. */
    private final Map<String, Map<String, JsonObject>> stored = new LinkedHashMap<>();

    private final Gson gson = new Gson();
    private long version;

    VariedServer(SplittableRandom random, ObjectReader reader, VariedObjects objects, Deque<SchedulerEvent> mail) {
        this.random = random;
        this.reader = reader;
        this.objects = objects;
        this.mail = mail;
    }

    void put(JsonObject object) {
        object.getAsJsonObject("metadata").addProperty("resourceVersion", Long.toString(++version));
        KubernetesObject read = read(object);
        of(read.kindName()).put(read.meta().key(), object);
        mail.add(new ClusterEvent.Put(read));
    }

    private Map<String, JsonObject> of(String kind) {
        return stored.computeIfAbsent(kind, _ -> new LinkedHashMap<>());
    }

    private KubernetesObject read(JsonObject object) {
        return reader.read(object.toString());
    }

    private Optional<JsonObject> pod(Pod pod) {
        return Optional.ofNullable(of("Pod").get(pod.key()))
                .filter(there -> read(there).meta().uid().equals(pod.meta().uid()));
    }

    /** One of a kind, if there is any. */
    Optional<JsonObject> any(String kind) {
        List<JsonObject> all = List.copyOf(of(kind).values());
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    void remove(JsonObject object) {
        KubernetesObject gone = read(object);
        if (of(gone.kindName()).remove(gone.meta().key()) != null) {
            mail.add(new ClusterEvent.Removed(gone));
        }
    }

    /** Removes one of any kind. */
    void removeAny() {
        List<String> kinds = List.copyOf(stored.keySet());
        any(kinds.get(random.nextInt(kinds.size()))).ifPresent(this::remove);
    }

    /** Lists a kind anew; some are gone without a word, and some cannot be read. */
    void relist() {
        List<String> kinds = List.copyOf(stored.keySet());
        String kind = kinds.get(random.nextInt(kinds.size()));
        mail.add(new Relist.Began(kind));
        of(kind).values().removeIf(_ -> random.nextInt(20) == 0);
        for (JsonObject object : of(kind).values()) {
            KubernetesObject read = read(object);
            ObjectMeta meta = read.meta();
            mail.add(
                    switch (random.nextInt(40)) {
                        case 0 -> new Relist.Present(kind, Optional.of(meta));
                        case 1 ->
                            new Relist.Present(kind, Optional.of(ObjectMeta.named(meta.namespace(), meta.name())));
                        default -> new ClusterEvent.Put(read);
                    });
        }
        if (random.nextInt(10) == 0) {
            mail.add(new Relist.Present(kind, Optional.empty()));
        }
        mail.add(new Relist.Ended(kind));
    }

    /** A provisioner makes the volume of a claim for which a node was selected. */
    void provision() {
        List<JsonObject> selected = new ArrayList<>(of("PersistentVolumeClaim").values());
        selected.removeIf(claim -> claim.getAsJsonObject("spec").has("volumeName")
                || claim.getAsJsonObject("metadata").get("annotations") == null);
        selected.stream().findFirst().ifPresent(claim -> bind(claim, objects.volumeFor(claim)));
    }

    /** The controller that binds claims to volumes that are reserved for them. */
    void bindClaims() {
        for (JsonObject volume : List.copyOf(of("PersistentVolume").values())) {
            JsonObject reserved = volume.getAsJsonObject("spec").getAsJsonObject("claimRef");
            JsonObject claim = reserved == null
                    ? null
                    : of("PersistentVolumeClaim")
                            .get("default/" + reserved.get("name").getAsString());
            if (claim != null && !claim.getAsJsonObject("spec").has("volumeName")) {
                bind(claim, volume);
                return;
            }
        }
    }

    private void bind(JsonObject claim, JsonObject volume) {
        put(volume);
        JsonObject bound = claim.deepCopy();
        bound.getAsJsonObject("spec")
                .add("volumeName", volume.getAsJsonObject("metadata").get("name"));
        merge(
                bound,
                gson.toJsonTree(Map.of(
                                "metadata", Map.of("annotations", Map.of("pv.kubernetes.io/bind-completed", "yes"))))
                        .getAsJsonObject());
        put(bound);
    }

    private static void merge(JsonObject into, JsonObject patch) {
        for (Map.Entry<String, JsonElement> change : patch.entrySet()) {
            if (change.getValue() instanceof JsonObject inner
                    && into.get(change.getKey()) instanceof JsonObject there) {
                merge(there, inner);
            } else {
                into.add(change.getKey(), change.getValue());
            }
        }
    }

    /** Carries out what is asked of a server. */
    void take(Command command) {
        switch (command) {
            case Command.Bind(Pod pod, String node, var _) -> bind(pod, node);
            case Command.WriteObject write -> write(write);
            case Command.Evict(Pod pod, var _, var _) -> evict(pod);
            case Command.Lookup(Pod pod) ->
                mail.add(
                        random.nextInt(6) == 0
                                ? new CommandResult.LookupFailed(pod, "timeout")
                                : new CommandResult.Found(pod, pod(pod).map(there -> (Pod) read(there))));
            case Command.PatchStatus patch -> patch(patch);
            case Command.PatchGroup _, Command.RecordEvent _, Command.RecordGroupEvent _, Command.AskExtenders _ -> {}
        }
    }

    private void patch(Command.PatchStatus patch) {
        if (patch.conditions().isEmpty() && random.nextInt(FATES) == 0) {
            throw new IllegalStateException("the dispatcher stumbles");
        }
        patch.nominatedNodeName()
                .ifPresent(node -> pod(patch.pod()).ifPresent(there -> {
                    JsonObject changed = there.deepCopy();
                    merge(
                            changed,
                            gson.toJsonTree(Map.of("status", Map.of("nominatedNodeName", node)))
                                    .getAsJsonObject());
                    put(changed);
                }));
    }

    private void bind(Pod pod, String node) {
        Optional<JsonObject> there = pod(pod);
        BindFailure[] failures = BindFailure.values();
        int fate = random.nextInt(FATES);
        if (there.isEmpty()) {
            mail.add(new CommandResult.NotBound(pod, node, BindFailure.GONE, "gone"));
        } else if (fate < 2) {
            mail.add(new CommandResult.NotBound(
                    pod, node, failures[random.nextInt(failures.length)], "no such luck " + fate));
        } else {
            JsonObject bound = there.get().deepCopy();
            bound.getAsJsonObject("spec").addProperty("nodeName", node);
            put(bound);
            mail.add(
                    fate == 2
                            ? new CommandResult.NotBound(pod, node, BindFailure.UNKNOWN, "timeout")
                            : new CommandResult.Bound(pod, node));
        }
    }

    private void write(Command.WriteObject write) {
        JsonObject there =
                of(write.patch().kind().name()).get(write.patch().object().key());
        switch (random.nextInt(FATES)) {
            case 0 -> mail.add(new CommandResult.NotWritten(write.pod(), WriteFailure.FAILED, "conflict"));
            case 1 -> mail.add(new CommandResult.NotWritten(write.pod(), WriteFailure.NOT_LEADING, "not leading"));
            case 2 -> mail.add(new CommandResult.OnlySaid(write.pod()));
            default -> {
                if (there == null) {
                    mail.add(new CommandResult.NotWritten(write.pod(), WriteFailure.FAILED, "gone"));
                    return;
                }
                JsonObject changed = there.deepCopy();
                merge(changed, gson.toJsonTree(write.patch().changes()).getAsJsonObject());
                put(changed);
                mail.add(new CommandResult.Written(write.pod()));
            }
        }
    }

    private void evict(Pod pod) {
        if (random.nextInt(FATES) == 0) {
            mail.add(new CommandResult.NotEvicted(pod, EvictionFailure.FAILED, "busy"));
            return;
        }
        pod(pod).ifPresentOrElse(
                        there -> {
                            mail.add(new CommandResult.Evicted(pod));
                            remove(there);
                        },
                        () -> mail.add(new CommandResult.NotEvicted(pod, EvictionFailure.GONE, "gone")));
    }
}
