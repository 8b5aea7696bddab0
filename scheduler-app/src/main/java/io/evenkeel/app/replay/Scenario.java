package io.evenkeel.app.replay;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Map;

/** A cluster, and pods to be placed in it one after the other. */
record Scenario(
        String name,
        SchedulerConfiguration configuration,
        Map<String, Boolean> featureGates,
        List<KubernetesObject> objects,
        List<Pod> pods) {}
