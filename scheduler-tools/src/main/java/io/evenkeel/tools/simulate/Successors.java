package io.evenkeel.tools.simulate;

import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.PodBuilder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Pods that owners make again: another name, but for a StatefulSet's, another UID, and no node. */
final class Successors {
    private final Set<String> names = new HashSet<>();
    private final Map<String, Long> madeFor = new HashMap<>();
    private long made;

    /** @param picture no other pod may share a name with its pods */
    Successors(ClusterPicture picture) {
        picture.pods().forEach(pod -> names.add(pod.key()));
    }

    /** A name that no other may have. */
    void taken(Pod by) {
        names.add(by.key());
    }

    /** The pod that comes when this one has gone. */
    Pod of(Pod gone) {
        OwnerReference owner = gone.meta().controller().orElseThrow();
        return owner.kind().equals(Workload.STATEFUL_SET) ? anew(gone, gone.name()) : another(gone);
    }

    /** One more pod of the same owner, which is not a StatefulSet. */
    Pod another(Pod like) {
        OwnerReference owner = like.meta().controller().orElseThrow();
        String name = "";
        do {
            int nth = Math.toIntExact(madeFor.merge(owner.name(), 1L, Long::sum));
            name = Letters.name(owner.name() + "-", nth);
        } while (!names.add(like.namespace() + "/" + name));
        return anew(like, name);
    }

    /** Makes the pod again under this name, without a node. */
    Pod anew(Pod like, String name) {
        names.add(like.namespace() + "/" + name);
        return PodBuilder.from(like)
                .name(name)
                .uid("simulated:" + like.namespace() + "/" + name + ":" + ++made)
                .version("", 1)
                .terminating(false)
                .nodeName("")
                .status(PodStatus.PENDING)
                .build();
    }
}
