package io.evenkeel.groups.plugin;

import io.evenkeel.framework.GroupPlugin.GroupTerms;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.TreeFactory;
import io.evenkeel.model.CoschedulingPodGroup;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import java.util.Optional;

/**
 * Places the pods of a PodGroup of scheduling.x-k8s.io, which they name by a label: what the out-of-tree plugin of this name does
 * for kube-scheduler. None of them waits on a node for the others, so there is no time for it to be limited.
 */
final class Coscheduling extends PodGroupPlugin<CoschedulingPodGroup> {
    private static final String NAME = "Coscheduling";

    /** Found by a {@link java.util.ServiceLoader}. */
    public static final class Factory extends TreeFactory<Coscheduling> {
        public Factory() {
            super(NAME, Coscheduling.class, Coscheduling::new);
        }
    }

    Coscheduling(TreeContext context) {
        super("PodGroup", Kinds.COSCHEDULING_POD_GROUP, context);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    String nameIn(Pod pod) {
        return pod.labels().getOrDefault(CoschedulingPodGroup.LABEL, "");
    }

    @Override
    Optional<GroupTerms> terms(CoschedulingPodGroup group, GroupTerms gang) {
        return Optional.of(gang);
    }

    @Override
    String waitingForGroup(String name) {
        return "PodGroup not found: " + name;
    }

    @Override
    String waitingForPods(int known, int needed) {
        return "cannot find enough sibling pods, current pods number: " + known + ", minMember of group: " + needed;
    }
}
