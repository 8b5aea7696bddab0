package io.evenkeel.tools.why;

import io.evenkeel.model.Pod;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.SelectorText;
import java.util.Optional;

/** Pods that are asked about together: all that wait, of a namespace, with labels, or of a workload, where that is said. */
public record MeantPods(Optional<String> namespace, Optional<LabelSelector> labels, Optional<Workload> workload) {
    public static MeantPods of(Workload workload) {
        return new MeantPods(Optional.empty(), Optional.empty(), Optional.of(workload));
    }

    /** Behind "no pod waits". */
    public String where() {
        return workload.map(owner -> " of " + owner)
                .orElseGet(() -> labels.map(selector -> " with labels " + SelectorText.of(selector))
                                .orElse("")
                        + namespace.map(name -> " in namespace " + name).orElse(""));
    }

    public boolean isMeant(Pod pod, ClusterQuestions questions) {
        return namespace.map(pod.namespace()::equals).orElse(true)
                && labels.map(selector -> selector.matches(pod.labels())).orElse(true)
                && workload.map(owner -> questions.isOf(pod, owner)).orElse(true);
    }
}
