package io.evenkeel.world.check;

import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.world.plugin.Reserved.GivenUp;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Who is placed all together or not at all, by what pods say of themselves and their owners of how many there are to be. */
final class Gangs {
    private static final String MODE = "evenkeel.io/group-placement";
    private static final String END_STATE = "end-state";
    private static final Set<String> ALL_OR_NONE = Set.of("gang", END_STATE);

    private Gangs() {}

    /** The owner of a pod of a gang. */
    static Optional<OwnerReference> ownerOf(Pod pod) {
        return pod.meta()
                .controller()
                .filter(_ -> ALL_OR_NONE.contains(pod.meta().annotations().getOrDefault(MODE, "")));
    }

    /** The UID of the owner, by which its pods are told from others. */
    static Optional<String> of(Pod pod) {
        return ownerOf(pod).map(OwnerReference::uid);
    }

    /** Whether only the end need be right. */
    static boolean isEndState(Pod pod) {
        return ownerOf(pod).isPresent() && pod.meta().annotations().has(MODE, END_STATE);
    }

    /** That of those just decided no gang has fewer in place, or on their way there, than it is to have. */
    static void mustBeWhole(Told told, List<OnItsWay> fresh, Collection<OnItsWay> onTheirWay, List<GivenUp> givenUp) {
        Set<String> looked = new HashSet<>();
        for (OnItsWay each : fresh) {
            ownerOf(each.pod()).filter(owner -> looked.add(owner.uid())).ifPresent(owner -> {
                Set<String> members = new HashSet<>();
                Stream.of(
                                told.pods().stream().filter(Pod::isPlaced),
                                onTheirWay.stream().map(OnItsWay::pod),
                                givenUp.stream().map(GivenUp::pod))
                        .flatMap(pods -> pods)
                        .filter(pod -> isOf(pod, owner))
                        .forEach(pod -> members.add(pod.meta().uid()));
                int needed = told.replicas(owner, each.pod().namespace());
                if (members.size() < needed) {
                    throw new Violation(each.pod().key() + " is decided, and of its gang " + members.size() + " of "
                            + needed + " have a place");
                }
            });
        }
    }

    static boolean isOf(Pod pod, OwnerReference owner) {
        return pod.meta()
                .controller()
                .filter(its -> its.uid().equals(owner.uid()))
                .isPresent();
    }
}
