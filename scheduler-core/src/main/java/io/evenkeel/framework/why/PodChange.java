package io.evenkeel.framework.why;

import io.evenkeel.model.Pod;
import java.util.List;

/** A change of the waiting pod itself. */
public sealed interface PodChange extends Change
        permits LessAsked,
                MaxSkew,
                MinDomains,
                NodeAffinityDropped,
                NodeSelectorDropped,
                PodTermDropped,
                Priority,
                SpreadPreferred,
                TaintsHonoured,
                Tolerated {

    /** The pod once it is changed. */
    Pod applied(Pod pod);

    /** Returns the change as operations on the object that the pod was read from. */
    List<PatchOperation> patch(Pod before);
}
