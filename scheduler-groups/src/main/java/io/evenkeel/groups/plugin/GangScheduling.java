package io.evenkeel.groups.plugin;

import io.evenkeel.framework.GroupPlugin.GroupTerms;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.TreeFactory;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.kind.Kinds;
import java.util.Optional;

/**
 * Places the pods of a PodGroup of scheduling.k8s.io, which they name in {@code spec.schedulingGroup}. Those of a group with the
 * policy basic are placed each by itself, but in one domain where the group says so.
 */
final class GangScheduling extends PodGroupPlugin<PodGroup> {
    private static final String NAME = "GangScheduling";

    /** Found by a {@link java.util.ServiceLoader}. */
    public static final class Factory extends TreeFactory<GangScheduling> {
        public Factory() {
            super(NAME, GangScheduling.class, GangScheduling::new);
        }
    }

    GangScheduling(TreeContext context) {
        super("pod group", Kinds.POD_GROUP, context);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    String nameIn(Pod pod) {
        return pod.spec().podGroupName();
    }

    @Override
    Optional<GroupTerms> terms(PodGroup group, GroupTerms gang) {
        boolean isBasic = group.minCount().isEmpty();
        return isBasic && group.topologyKey().isEmpty()
                ? Optional.empty()
                : Optional.of((isBasic ? gang.needing(1) : gang).within(group.topologyKey()));
    }

    @Override
    String waitingForGroup(String name) {
        return "waiting for pod's pod group \"" + name + "\" to appear in scheduling queue";
    }

    @Override
    String waitingForPods(int known, int needed) {
        return "waiting for minCount pods from a gang to appear in scheduling queue";
    }
}
