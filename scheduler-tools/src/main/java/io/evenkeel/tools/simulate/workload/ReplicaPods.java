package io.evenkeel.tools.simulate.workload;

import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The pods of Deployments, ReplicaSets and ReplicationControllers: all are alike, and made at once. */
final class ReplicaPods {
    private final ManifestReader reader;

    ReplicaPods(ManifestReader reader) {
        this.reader = reader;
    }

    /** Of a Deployment, by the one ReplicaSet that its present template has. */
    Made ofDeployment(Manifest manifest, Workload workload, int replicas) {
        PodTemplate template = PodTemplate.of(manifest);
        manifest.required("spec", "selector");
        return of(manifest, workload, template.byReplicaSet(), replicas);
    }

    /** Of what owns its pods itself. */
    Made ofSet(Manifest manifest, Workload workload, int replicas) {
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
        WorkloadOwner owner = (WorkloadOwner) reader.read(template.owner(replicas), manifest, "");
        String base = template.ownerName() + "-";
        List<Pod> pods = new ArrayList<>(IntStream.range(0, replicas)
                .mapToObj(i -> reader.pod(template.pod(Letters.name(base, i), Map.of()), manifest, PodTemplate.PATH))
                .toList());
        Pod one = pods.isEmpty()
                ? reader.pod(template.pod(base + "none", Map.of()), manifest, PodTemplate.PATH)
                : pods.getFirst();
        if (!owner.selector().matches(one.labels())) {
            throw manifest.mistake("spec.selector", "does not match the labels of spec.template");
        }
        return new Made(workload, List.of(owner), pods, false);
    }
}
