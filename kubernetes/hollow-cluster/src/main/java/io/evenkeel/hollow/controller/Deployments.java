package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.Templates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Keeps a ReplicaSet for each template a Deployment has had, and moves its pods to the latest. */
record Deployments(Registry registry, Observed observed, EventRecorder events) implements Controller {
    private static final String COMPONENT = "deployment-controller";
    private static final long KEPT_REVISIONS = 10;

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        StoredObject object = change.object();
        switch (object.key().table()) {
            case "deployments" -> look.accept(object.key());
            case "replicasets" ->
                Owner.controllerOf(object, ResourceTable.DEPLOYMENTS).ifPresent(look);
            // a Deployment that recreates waits for the last old pod, which its ReplicaSet no longer counts
            case "pods" -> {
                if (change instanceof Change.Deleted) {
                    Owner.controllerOf(object, ResourceTable.REPLICA_SETS)
                            .flatMap(set -> registry.find(ResourceTable.REPLICA_SETS, set))
                            .flatMap(set -> Owner.controllerOf(set, ResourceTable.DEPLOYMENTS))
                            .ifPresent(look);
                }
            }
            default -> {}
        }
    }

    @Override
    public void sync(ObjectKey key) {
        registry.find(ResourceTable.DEPLOYMENTS, key)
                .filter(deployment -> !deployment.isGoing())
                .ifPresent(this::sync);
    }

    private void sync(StoredObject deployment) {
        List<StoredObject> sets = observed.controlledBy(deployment.uid(), ResourceTable.REPLICA_SETS).stream()
                .filter(set -> !set.isGoing())
                .sorted(Comparator.comparingLong(Revisions::of))
                .toList();
        Optional<StoredObject> found =
                sets.stream().filter(set -> Revisions.isOf(set, deployment)).findFirst();
        List<StoredObject> old =
                sets.stream().filter(set -> found.filter(set::equals).isEmpty()).toList();
        boolean paused = Trees.isTrue(deployment.tree(), "spec", "paused");
        if (found.isEmpty() && (paused || waitsForOldPods(deployment, old))) {
            scaleOldToZero(deployment, paused ? List.of() : old);
            writeStatus(deployment, found, old);
            return;
        }
        StoredObject fresh = found.orElseGet(() -> new Revisions(registry).create(deployment, old));
        new Revisions(registry).number(deployment, fresh, old);
        roll(deployment, fresh, paused ? List.of() : old);
        writeStatus(deployment, Optional.of(fresh), old);
        forget(deployment, fresh, old);
    }

    private void roll(StoredObject deployment, StoredObject fresh, List<StoredObject> old) {
        if (isRecreated(deployment)) {
            scaleOldToZero(deployment, old);
            if (!waitsForOldPods(deployment, old)) {
                scale(deployment, fresh, wanted(deployment));
            }
            return;
        }
        RollingUpdate.Step step = RollingUpdate.of(deployment.tree())
                .next(size(fresh), old.stream().map(Deployments::size).toList());
        scale(deployment, fresh, step.fresh());
        for (int i = 0; i < old.size(); i++) {
            scale(deployment, old.get(i), step.old().get(i));
        }
    }

    private boolean waitsForOldPods(StoredObject deployment, List<StoredObject> old) {
        return isRecreated(deployment)
                && old.stream()
                        .flatMap(set -> observed.controlledBy(set.uid(), ResourceTable.PODS).stream())
                        .anyMatch(pod -> !PodState.isOver(pod));
    }

    private void scaleOldToZero(StoredObject deployment, List<StoredObject> old) {
        old.forEach(set -> scale(deployment, set, 0));
    }

    private void scale(StoredObject deployment, StoredObject set, long size) {
        long before = wanted(set);
        if (before == size) {
            return;
        }
        registry.edit(ResourceTable.REPLICA_SETS, set.key(), tree -> {
            Trees.ensureObject(tree, "spec").addProperty("replicas", size);
            Registry.bumpGeneration(tree);
        });
        events.normal(
                ResourceTable.DEPLOYMENTS,
                deployment,
                COMPONENT,
                "ScalingReplicaSet",
                "Scaled %s replica set %s from %d to %d"
                        .formatted(size > before ? "up" : "down", set.name(), before, size));
    }

    /** Deletes the oldest ReplicaSets that are empty and beyond the number to be kept. */
    private void forget(StoredObject deployment, StoredObject fresh, List<StoredObject> old) {
        long kept =
                Trees.number(deployment.tree(), "spec", "revisionHistoryLimit").orElse(KEPT_REVISIONS);
        old.stream()
                .filter(set -> !set.key().equals(fresh.key()))
                .limit(Math.max(old.size() - kept, 0))
                .filter(set -> wanted(set) == 0
                        && Trees.number(set.tree(), "status", "replicas").orElse(0L) == 0)
                .forEach(set -> registry.deleteFound(ResourceTable.REPLICA_SETS, set.key()));
    }

    private static boolean isRecreated(StoredObject deployment) {
        return Trees.text(deployment.tree(), "spec", "strategy", "type").equals("Recreate");
    }

    private static RollingUpdate.Size size(StoredObject set) {
        return new RollingUpdate.Size(
                wanted(set),
                Trees.number(set.tree(), "status", "availableReplicas").orElse(0L));
    }

    private static long wanted(StoredObject workload) {
        return Trees.number(workload.tree(), "spec", "replicas").orElse(1L);
    }

    /** A Deployment's status: the sums over its ReplicaSets. */
    private void writeStatus(StoredObject deployment, Optional<StoredObject> fresh, List<StoredObject> old) {
        // annotating may have made a later version
        StoredObject latest =
                registry.find(ResourceTable.DEPLOYMENTS, deployment.key()).orElse(deployment);
        List<StoredObject> all = new ArrayList<>(old);
        fresh.ifPresent(all::add);
        RollingUpdate limits = RollingUpdate.of(latest.tree());
        long total = sum(all, "replicas");
        long available = sum(all, "availableReplicas");
        long updated = sum(fresh.stream().toList(), "replicas");
        boolean enough = available >= limits.replicas() - limits.maxUnavailable();
        boolean complete = updated == limits.replicas() && total == updated && available == updated;
        String set = fresh.map(object -> object.name()).orElse("");
        new StatusWriter(latest)
                .always("replicas", total)
                .count("updatedReplicas", updated)
                .count("readyReplicas", sum(all, "readyReplicas"))
                .count("availableReplicas", available)
                .count("unavailableReplicas", Math.max(Math.max(total, limits.replicas()) - available, 0))
                .condition(
                        "Available",
                        enough,
                        enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                        enough
                                ? "Deployment has minimum availability."
                                : "Deployment does not have minimum availability.")
                .condition(
                        "Progressing",
                        true,
                        complete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
                        "ReplicaSet \"%s\" %s."
                                .formatted(set, complete ? "has successfully progressed" : "is progressing"))
                .failure(all.reversed().stream() // that of the latest first
                        .flatMap(each -> ReplicaSets.failure(each).stream())
                        .findFirst())
                .write(registry, ResourceTable.DEPLOYMENTS);
    }

    private static long sum(List<StoredObject> sets, String count) {
        return sets.stream()
                .mapToLong(set -> Trees.number(set.tree(), "status", count).orElse(0L))
                .sum();
    }

    /** The ReplicaSets of a Deployment, told apart by their template and numbered by when it was last the wanted one. */
    private record Revisions(Registry registry) {
        private static final String REVISION = "deployment.kubernetes.io/revision";

        static long of(StoredObject object) {
            String text = Trees.text(object.tree(), "metadata", "annotations", REVISION);
            return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
        }

        /** Whether a ReplicaSet has the Deployment's present template. */
        static boolean isOf(StoredObject set, StoredObject deployment) {
            JsonObject own = template(set);
            Trees.object(own, "metadata", "labels").ifPresent(labels -> labels.remove(Templates.HASH));
            return own.equals(template(deployment));
        }

        /** Makes the ReplicaSet for the present template, still without pods. */
        StoredObject create(StoredObject deployment, List<StoredObject> old) {
            JsonObject tree = Templates.replicaSet(deployment.tree());
            JsonObject metadata = tree.getAsJsonObject("metadata");
            Optional<StoredObject> left =
                    registry.find(ResourceTable.REPLICA_SETS, deployment.namespace(), Trees.text(metadata, "name"));
            if (left.isPresent()) {
                return left.get();
            }
            tree.getAsJsonObject("spec").addProperty("replicas", 0);
            Trees.ensureObject(metadata, "annotations").addProperty(REVISION, Long.toString(latest(old) + 1));
            PodFactory.owned(tree, ResourceTable.DEPLOYMENTS, deployment);
            return registry.create(ResourceTable.REPLICA_SETS, deployment.namespace(), tree, false);
        }

        /** Gives the wanted ReplicaSet, which may be an old one again, the highest number, and the Deployment the same. */
        void number(StoredObject deployment, StoredObject fresh, List<StoredObject> old) {
            long revision = Math.max(of(fresh), latest(old) + 1);
            annotate(ResourceTable.REPLICA_SETS, fresh, revision);
            annotate(ResourceTable.DEPLOYMENTS, deployment, revision);
        }

        private void annotate(ResourceType type, StoredObject object, long revision) {
            if (of(object) != revision) {
                registry.edit(
                        type,
                        object.key(),
                        tree -> Trees.ensureObject(tree.getAsJsonObject("metadata"), "annotations")
                                .addProperty(REVISION, Long.toString(revision)));
            }
        }

        private static long latest(List<StoredObject> sets) {
            return sets.stream().mapToLong(Revisions::of).max().orElse(0);
        }

        private static JsonObject template(StoredObject workload) {
            return Trees.object(workload.tree(), "spec", "template")
                    .orElseGet(JsonObject::new)
                    .deepCopy();
        }
    }

    /**
     * How far a rolling update may go now: the next sizes of the old ReplicaSets and the new one, such that there are never more
     * than {@code replicas + maxSurge} pods and never fewer than {@code replicas − maxUnavailable} available ones.
     */
    private record RollingUpdate(long replicas, long maxSurge, long maxUnavailable) {

        /** A ReplicaSet's size as asked for, and how many of its pods are available. */
        record Size(long wanted, long available) {}

        /** The next sizes: of the new ReplicaSet, and of the old ones in the order given. */
        record Step(long fresh, List<Long> old) {}

        static RollingUpdate of(JsonObject deployment) {
            long replicas = Trees.number(deployment, "spec", "replicas").orElse(1L);
            JsonObject rolling = Trees.object(deployment, "spec", "strategy", "rollingUpdate")
                    .orElseGet(JsonObject::new);
            long surge = IntOrPercent.resolve(rolling, "maxSurge", "25%", replicas, true);
            long unavailable = IntOrPercent.resolve(rolling, "maxUnavailable", "25%", replicas, false);
            // both zero would let nothing ever happen
            return new RollingUpdate(replicas, surge, surge == 0 && unavailable == 0 ? 1 : unavailable);
        }

        /** The next step; it is the present state when only time can help. */
        Step next(Size fresh, List<Size> old) {
            long total = fresh.wanted + old.stream().mapToLong(Size::wanted).sum();
            List<Long> present = old.stream().map(Size::wanted).toList();
            if (fresh.wanted > replicas) {
                return new Step(replicas, present);
            }
            long room = Math.min(replicas + maxSurge - total, replicas - fresh.wanted);
            if (room > 0) {
                return new Step(fresh.wanted + room, present);
            }
            return new Step(fresh.wanted, shrunk(fresh, old, total));
        }

        private List<Long> shrunk(Size fresh, List<Size> old, long total) {
            long minAvailable = replicas - maxUnavailable;
            long freshUnavailable = fresh.wanted - fresh.available;
            long spare = total - minAvailable - freshUnavailable;
            List<Long> sizes = new ArrayList<>();
            // unavailable pods serve no client: they go first
            for (Size each : old) {
                long going = Math.clamp(spare, 0, Math.max(each.wanted - each.available, 0));
                spare -= going;
                sizes.add(each.wanted - going);
            }
            long available =
                    fresh.available + old.stream().mapToLong(Size::available).sum();
            long spareAvailable = Math.min(available - minAvailable, Math.max(spare, 0));
            for (int i = 0; i < sizes.size() && spareAvailable > 0; i++) {
                long going = Math.min(sizes.get(i), spareAvailable);
                spareAvailable -= going;
                sizes.set(i, sizes.get(i) - going);
            }
            return sizes;
        }
    }
}
