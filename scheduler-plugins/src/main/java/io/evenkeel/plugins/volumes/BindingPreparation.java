package io.evenkeel.plugins.volumes;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.Preparation;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolume.ClaimReference;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.plugins.volumes.ClaimReader.PodClaims;
import io.evenkeel.plugins.volumes.NodeSearch.VolumePlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells a cluster's other parts how a pod gets its volumes: in a volume, whose claim it is; in a claim, near which node its
 * volume is to be made. Then it waits until claims and volumes are bound to one another, which is for those others to do.
 */
final class BindingPreparation implements Preparation {
    private static final String WHAT = "binding volumes: ";

    private final KnownVolumes known;
    private final NodeTable nodes;
    private final Reach reach;
    private final PodClaims claims;
    private final VolumePlan plan;
    private final String node;
    private final Duration timeLimit;
    private final List<ObjectPatch> writes = new ArrayList<>(1);

    BindingPreparation(
            KnownVolumes known,
            NodeTable nodes,
            Reach reach,
            PodClaims claims,
            VolumePlan plan,
            String node,
            Duration timeLimit) {
        this.known = known;
        this.nodes = nodes;
        this.reach = reach;
        this.claims = claims;
        this.plan = plan;
        this.node = node;
        this.timeLimit = timeLimit;
        plan.matches()
                .forEach(match -> known.volume(match.volume().name()).ifPresent(volume -> bind(volume, match.claim())));
        plan.toMake()
                .forEach(claim -> known.claim(claim.key())
                        .filter(now -> now.selectedNode().isEmpty())
                        .ifPresent(this::select));
    }

    private void bind(PersistentVolume volume, PersistentVolumeClaim claim) {
        ClaimReference reference = new ClaimReference(
                claim.meta().namespace(), claim.meta().name(), claim.meta().uid());
        if (volume.claim().filter(reference::equals).isPresent()) {
            return;
        }
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        if (!volume.isFor(claim)) {
            changes.put("metadata", Map.of("annotations", Map.of(Annotations.BOUND_BY_CONTROLLER, "yes")));
        }
        Map<String, Object> claimRef = new LinkedHashMap<>();
        claimRef.put("kind", claim.kindName());
        claimRef.put("namespace", reference.namespace());
        claimRef.put("name", reference.name());
        claimRef.put("uid", reference.uid());
        claimRef.put("apiVersion", Kinds.PERSISTENT_VOLUME_CLAIM.apiVersion());
        claimRef.put("resourceVersion", claim.meta().resourceVersion());
        changes.put("spec", Map.of("claimRef", claimRef));
        writes.add(new ObjectPatch(Kinds.PERSISTENT_VOLUME, volume.meta(), changes));
    }

    private void select(PersistentVolumeClaim claim) {
        Map<String, @Nullable Object> changes =
                Map.of("metadata", Map.of("annotations", Map.of(Annotations.SELECTED_NODE, node)));
        writes.add(new ObjectPatch(Kinds.PERSISTENT_VOLUME_CLAIM, claim.meta(), changes));
    }

    private static ObjectName nameOf(KubernetesObject object) {
        return new ObjectName(object.kindName(), object.meta().key());
    }

    @Override
    public List<ObjectPatch> writes() {
        return List.copyOf(writes);
    }

    @Override
    public Duration timeLimit() {
        return timeLimit;
    }

    @Override
    public String lateness() {
        return WHAT + "context deadline exceeded";
    }

    @Override
    public Progress progress() {
        int id = nodes.findPresent(node);
        if (id < 0) {
            return failed("failed to get node \"" + node + "\": node \"" + node + "\" not found");
        }
        for (PersistentVolumeClaim claim : claims.bound()) {
            if (now(claim).filter(PersistentVolumeClaim::isBound).isEmpty()) {
                return failed("persistentvolumeclaim \"" + claim.meta().name() + "\" is bound no longer");
            }
        }
        for (VolumePlan.Match match : plan.matches()) {
            Progress progress = ofMatch(match, id);
            if (!progress.equals(Progress.DONE)) {
                return progress;
            }
        }
        for (PersistentVolumeClaim claim : plan.toMake()) {
            Progress progress = ofMaking(claim, id);
            if (!progress.equals(Progress.DONE)) {
                return progress;
            }
        }
        return Progress.DONE;
    }

    private Progress ofMatch(VolumePlan.Match match, int id) {
        Optional<PersistentVolume> volume = known.volume(match.volume().name());
        if (volume.isEmpty()) {
            return failed("failed to check binding: persistentvolumes \""
                    + match.volume().name() + "\" not found");
        }
        Optional<PersistentVolumeClaim> claim = now(match.claim());
        if (claim.isEmpty()) {
            return failed("failed to check binding: persistentvolumeclaims \""
                    + match.claim().key() + "\" not found");
        }
        if (isUnchanged(volume.get())) {
            return waiting(claim.get(), volume.get());
        }
        if (!reach.includesBound(volume.get(), id)) {
            return outOfReach(volume.get());
        }
        if (volume.get().claim().map(ClaimReference::uid).orElse("").isEmpty()) {
            return failed("ClaimRef got reset for pv \"" + volume.get().name() + '"');
        }
        return claim.get().isBound() ? Progress.DONE : waiting(claim.get(), volume.get());
    }

    private Progress ofMaking(PersistentVolumeClaim planned, int id) {
        Optional<PersistentVolumeClaim> claim = now(planned);
        if (claim.isEmpty()) {
            return failed(
                    "failed to check provisioning pvc: persistentvolumeclaims \"" + planned.key() + "\" not found");
        }
        if (isUnchanged(claim.get())) {
            return waiting(claim.get());
        }
        if (claim.get().selectedNode().filter(node::equals).isEmpty()) {
            return failed("provisioning failed for PVC \"" + planned.meta().name() + '"');
        }
        String volumeName = claim.get().volumeName();
        Optional<PersistentVolume> volume = volumeName.isEmpty() ? Optional.empty() : known.volume(volumeName);
        if (volume.isPresent() && !reach.includesBound(volume.get(), id)) {
            return outOfReach(volume.get());
        }
        if (!volumeName.isEmpty() && volume.isEmpty()) {
            return new Progress.Waiting(
                    Set.of(nameOf(claim.get()), new ObjectName(Kinds.PERSISTENT_VOLUME.name(), volumeName)));
        }
        return claim.get().isBound() ? Progress.DONE : waiting(claim.get());
    }

    /** The claim as it is, unless it is another of its name. */
    private Optional<PersistentVolumeClaim> now(PersistentVolumeClaim claim) {
        return known.claim(claim.key())
                .filter(found -> found.meta().uid().equals(claim.meta().uid()));
    }

    /** As long as the version is seen from which the object was changed, the change is not. */
    private boolean isUnchanged(KubernetesObject object) {
        String version = object.meta().resourceVersion();
        return !version.isEmpty()
                && writes.stream()
                        .anyMatch(write -> write.kind().name().equals(object.kindName())
                                && write.object().key().equals(object.meta().key())
                                && write.object().resourceVersion().equals(version));
    }

    private static Progress waiting(KubernetesObject... on) {
        return new Progress.Waiting(
                Set.copyOf(Arrays.stream(on).map(BindingPreparation::nameOf).toList()));
    }

    private Progress outOfReach(PersistentVolume volume) {
        return failed("pv \"" + volume.name() + "\" node affinity doesn't match node \"" + node
                + "\": no matching NodeSelectorTerms");
    }

    private static Progress failed(String why) {
        return new Progress.Failed(WHAT + why);
    }
}
