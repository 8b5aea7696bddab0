package io.evenkeel.tools.simulate;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;

/**
 * The outcome of a run.
 *
 * @param pods that were to be placed, in the order in which they came
 * @param inOrder the decided pods of them, in the order of their decisions
 * @param evicted pods that were in place and had to go for others, also pods that came here
 * @param after the cluster with every pod where it goes
 */
record Outcome(
        List<Decided> pods, List<Pod> inOrder, List<Evicted> evicted, ClusterPicture after, List<String> remarks) {

    /** All objects there are then, pods that wait among them. */
    List<KubernetesObject> cluster() {
        List<KubernetesObject> all = new ArrayList<>(after.all());
        pods.stream()
                .filter(decided -> decided.verdict() instanceof Verdict.Waits)
                .forEach(decided -> all.add(decided.arrival().pod()));
        return all;
    }

    /** A pod that came, and what became of it. */
    record Decided(Arrival arrival, Verdict verdict) {}

    /**
     * A pod that had to go.
     *
     * @param by the key of the pod that it went for
     */
    record Evicted(Pod pod, String by) {}

    sealed interface Verdict {

        record Placed(String node) implements Verdict {}

        record Waits(String why) implements Verdict {}

        /** It is not made, as it comes only after another that waits. */
        record NotMade(String after) implements Verdict {}

        /** It was placed, and had to go for a pod of higher priority. */
        record Preempted(String by) implements Verdict {}
    }
}
