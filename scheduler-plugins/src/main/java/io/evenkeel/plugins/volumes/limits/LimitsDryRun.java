package io.evenkeel.plugins.volumes.limits;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.storage.VolumeSource.Csi;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Works out a node's volumes without the pods that leave: unless others there have them too, or they stay attached. */
final class LimitsDryRun implements FilterDryRun {
    private final PodTable pods;
    private final VolumeCounts counts;
    private final Map<String, List<Csi>> wanted;
    /** How many volumes of pods more, or less, are this one than on the node. */
    private final Map<Csi, Integer> changes = new HashMap<>();

    private int node;

    LimitsDryRun(PodTable pods, VolumeCounts counts, Map<String, List<Csi>> wanted) {
        this.pods = pods;
        this.counts = counts;
        this.wanted = wanted;
    }

    @Override
    public boolean isLocal() {
        return false;
    }

    @Override
    public boolean isAlike() {
        return false;
    }

    @Override
    public boolean begin(int nowNode) {
        node = nowNode;
        changes.clear();
        return !verdict().isSuccess() || sharesVolumes();
    }

    /** A volume that the pod has in common with those who leave is one more to attach without them. */
    private boolean sharesVolumes() {
        return wanted.values().stream()
                .flatMap(List::stream)
                .anyMatch(csi -> counts.attached().podsWith(csi).get(node) > 0);
    }

    @Override
    public void removePod(int row) {
        count(pods.pod(row), -1);
    }

    @Override
    public void addPod(int row) {
        count(pods.pod(row), 1);
    }

    @Override
    public boolean addNominated(PodInfo pod) {
        count(pod.pod(), 1);
        return true;
    }

    private void count(Pod pod, int delta) {
        for (PodVolume volume : pod.spec().volumes()) {
            counts.identity().of(pod, volume).ifPresent(csi -> changes.merge(csi, delta, Integer::sum));
        }
    }

    @Override
    public Status verdict() {
        for (Map.Entry<String, List<Csi>> driver : wanted.entrySet()) {
            DriverLoad load = counts.attached().load(driver.getKey());
            int more = newOnes(driver.getValue());
            if (more > 0
                    && load.limited().contains(node)
                    && attached(driver.getKey(), load) + more > load.limitOf(node)) {
                return NodeVolumeLimits.TOO_MANY;
            }
        }
        return Status.SUCCESS;
    }

    private int attached(String driver, DriverLoad load) {
        int count = load.attachedTo(node);
        for (Map.Entry<Csi, Integer> change : changes.entrySet()) {
            Csi csi = change.getKey();
            if (csi.driver().equals(driver)
                    && counts.attached().attachmentsOf(csi).get(node) == 0) {
                int had = counts.attached().podsWith(csi).get(node);
                count += (had + change.getValue() > 0 ? 1 : 0) - (had > 0 ? 1 : 0);
            }
        }
        return count;
    }

    private int newOnes(List<Csi> volumes) {
        int count = 0;
        for (int i = 0; i < volumes.size(); i++) {
            Csi csi = volumes.get(i);
            count += counts.attached().podsWith(csi).get(node) + changes.getOrDefault(csi, 0) == 0 ? 1 : 0;
        }
        return count;
    }
}
