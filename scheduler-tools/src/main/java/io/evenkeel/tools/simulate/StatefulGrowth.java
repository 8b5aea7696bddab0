package io.evenkeel.tools.simulate;

import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.value.Labels;
import io.evenkeel.tools.simulate.Arrival.Cause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
                renamed.meta(), renamed.spec().withVolumes(renamed.spec().imageVolumes(), volumes), renamed.status());
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
