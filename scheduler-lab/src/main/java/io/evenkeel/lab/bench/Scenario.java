package io.evenkeel.lab.bench;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.util.List;

/** A cluster, and the pods that are to be placed on it one after the other. */
interface Scenario {
    /** Of all that is random. */
    long seed();

    /** The objects that exist before the first of the pods is to be placed. */
    List<KubernetesObject> objects();

    /** The pods to be placed, built separately at each call. */
    List<Pod> newcomers();

    /** Pods that have been decided once, unmeasured, since their like are there already; built separately at each call. */
    List<Pod> knownBefore();

    /** Returns the scenario at a size at which pods are placed for warming up. */
    Scenario smaller(int mostNodes, int mostNewcomers);
}
