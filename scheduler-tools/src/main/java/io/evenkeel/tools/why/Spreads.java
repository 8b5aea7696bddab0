package io.evenkeel.tools.why;

import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import java.util.List;

/** How the pods of workloads are spread, which is counted elsewhere. */
@FunctionalInterface
public interface Spreads {
    /**
     * The workloads of a namespace, or of all where it is empty: those first with most skew beyond what is allowed, then those of
     * most pods that wait. On the thread of the copy.
     */
    Rows of(ClusterQuestions copy, String namespace);

    /** @param untold how many there are beyond these */
    record Rows(List<Row> rows, int untold) {}

    /**
     * @param sample one of its pods
     * @param tree what is said of it
     */
    record Row(Workload workload, Pod sample, Tree tree) {}
}
