package io.evenkeel.app.replay;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterView;
import java.util.List;

/** Something that must hold after each step of a replay; throws where it does not. */
@FunctionalInterface
public interface StepCheck {
    StepCheck NONE = (step, cluster) -> {};

    /** Everything that the cluster keeps equals what recounting it gives. */
    StepCheck RECOUNT = (step, cluster) -> {
        List<String> differences = ClusterAudit.differences(cluster);
        if (!differences.isEmpty()) {
            throw new DifferenceException(
                    "after " + step + " what is kept differs from a recount: " + differences.getFirst());
        }
    };

    void after(String step, ClusterView cluster);
}
