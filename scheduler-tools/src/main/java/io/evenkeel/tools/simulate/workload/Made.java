package io.evenkeel.tools.simulate.workload;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.util.List;

/**
 * The objects that controllers make of a manifest.
 *
 * @param objects beside pods: the ReplicaSet of a Deployment, the claims of a StatefulSet
 * @param pods in the order in which they are made
 * @param oneByOne whether each is made once those before it are ready
 */
public record Made(Workload workload, List<KubernetesObject> objects, List<Pod> pods, boolean oneByOne) {}
