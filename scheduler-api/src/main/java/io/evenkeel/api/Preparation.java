package io.evenkeel.api;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A plugin's work for one pod before it is bound: objects are written, and then it is waited until the cluster shows
 * what was to come of that. All on the engine's thread. For example, of a claim whose volume is made for the pod:
 *
 * <pre>
 *   writes()      the claim: its volume is to be made near n1
 *   progress()    the claim has no volume           waiting for the claim
 *   progress()    the claim names volume v          waiting for the claim, and for v
 *   progress()    the claim is bound                done
 * </pre>
 *
 * @since 0.1
 */
public interface Preparation {

    /** In this order; where one fails, those after it are not made and the pod is tried again later. */
    List<ObjectPatch> writes();

    /** How long it may take from the last write until all is done. */
    Duration timeLimit();

    /** Tells the pod's user that the time was too short. */
    String lateness();

    /** How far it has come by what the cluster shows; asked when an object changes that is waited for, and each second. */
    Progress progress();

    /** How far it has come. */
    sealed interface Progress {
        record Done() implements Progress {}

        /** It will not come to anything: the pod is tried again later. */
        record Failed(String why) implements Progress {}

        /** One of these objects has to change first, or anything else, which is looked for each second. */
        record Waiting(Set<ObjectName> on) implements Progress {}

        Progress DONE = new Done();
    }

    /** An object, by its kind and key. */
    record ObjectName(String kind, String key) {}
}
