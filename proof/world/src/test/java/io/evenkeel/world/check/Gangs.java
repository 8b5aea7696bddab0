package io.evenkeel.world.check;

import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.framework.GroupPlugin;
import io.evenkeel.model.CoschedulingPodGroup;
import io.evenkeel.model.Pod;
import io.evenkeel.world.plugin.Reserved.GivenUp;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Who is placed all together or not at all, by what pods say of themselves, and their owners or PodGroups of how many there are to be. */
final class Gangs {
    private static final String MODE = "evenkeel.io/group-placement";
    private static final String END_STATE = "end-state";
    private static final Set<String> ALL_OR_NONE = Set.of("gang", END_STATE);

    private Gangs() {}

    /**
     * Which gang it is.
     *
     * @param name of its owner, or of its PodGroup
     * @param identity the UID of its owner; empty where it is of a PodGroup
     */
    record Gang(String namespace, String name, String identity) {
        boolean isOfPodGroup() {
            return identity.isEmpty();
        }

        boolean has(Pod pod) {
            return isOfPodGroup()
                    ? pod.namespace().equals(namespace) && pod.labels().has(CoschedulingPodGroup.LABEL, name)
                    : pod.meta()
                            .controller()
                            .filter(owner -> owner.uid().equals(identity))
                            .isPresent();
        }
    }

    /** The gang of the pod. A shard that is asked for a place knows the pod as one of none, as the overseer has judged the gang. */
    static Optional<Gang> of(Pod pod) {
        return GroupPlugin.isAlone(pod) ? Optional.empty() : asked(pod);
    }

    /** The same, whoever knows the pod. */
    static Optional<Gang> asked(Pod pod) {
        return pod.labels().has(CoschedulingPodGroup.LABEL)
                ? Optional.of(new Gang(pod.namespace(), pod.labels().getOrDefault(CoschedulingPodGroup.LABEL, ""), ""))
                : pod.meta()
                        .controller()
                        .filter(_ ->
                                ALL_OR_NONE.contains(pod.meta().annotations().getOrDefault(MODE, "")))
                        .map(owner -> new Gang(pod.namespace(), owner.name(), owner.uid()));
    }

    /** Whether only the end need be right. */
    static boolean isEndState(Pod pod) {
        return of(pod).filter(gang -> !gang.isOfPodGroup()).isPresent()
                && pod.meta().annotations().has(MODE, END_STATE);
    }

    /** That of those just decided no gang has fewer in place, or on their way there, than it is to have. */
    static void mustBeWhole(Told told, List<OnItsWay> fresh, Collection<OnItsWay> onTheirWay, List<GivenUp> givenUp) {
        Set<Gang> looked = new HashSet<>();
        for (OnItsWay each : fresh) {
            of(each.pod()).filter(looked::add).ifPresent(gang -> {
                Set<String> members = new HashSet<>();
                Stream.of(
                                told.pods().stream().filter(Pod::isPlaced),
                                onTheirWay.stream().map(OnItsWay::pod),
                                givenUp.stream().map(GivenUp::pod))
                        .flatMap(pods -> pods)
                        .filter(gang::has)
                        .forEach(pod -> members.add(pod.meta().uid()));
                int needed = told.needed(gang);
                if (members.size() < needed) {
                    throw new Violation(each.pod().key() + " is decided, and of its gang " + members.size() + " of "
                            + needed + " have a place");
                }
            });
        }
    }
}
