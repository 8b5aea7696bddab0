package io.evenkeel.tools.replay;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.problem.UserProblem;
import java.util.List;

/** A check of the cluster after each step of a replay; throws where it does not hold. */
@FunctionalInterface
public interface StepAudit {
    StepAudit NONE = (step, cluster) -> {};

    /** Everything that the cluster keeps equals what recounting it gives. */
    StepAudit EACH = (step, cluster) -> {
        List<String> differences = ClusterAudit.differences(cluster);
        if (!differences.isEmpty()) {
            throw new DifferenceException(
                    "after " + step + " what is kept differs from a recount: " + differences.getFirst());
        }
    };

    void after(String step, ClusterView cluster);

    /** A difference that an audit found, after which nothing can be trusted. The message is one line. */
    static final class DifferenceException extends UserProblem {
        private static final long serialVersionUID = 1L;

        DifferenceException(String message) {
            super(message);
        }
    }
}
