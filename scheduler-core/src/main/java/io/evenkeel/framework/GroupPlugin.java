package io.evenkeel.framework;

import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.model.GroupObject;
import io.evenkeel.model.Pod;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Says which pods are placed together: a part that a plugin of any extension point may have. Where several of a profile know a
 * group for a pod, the first one's counts, in the order in which the profile enables them.
 */
public interface GroupPlugin {

    /** In the place of a PodGroup's name, none of which can be this: the pod is in no group, whatever its labels and its owner say. */
    String ALONE = "/";

    static boolean isAlone(Pod pod) {
        return pod.spec().podGroupName().equals(ALONE);
    }

    String name();

    /**
     * The group that the pod is one of; empty where it is placed by itself. Goes by the pod alone, and is asked of pods that wait
     * and of pods in place, whoever has placed them.
     */
    Optional<GroupKey> groupOf(Pod pod);

    /**
     * On which terms the pods of its group are placed, as the cluster is now; empty where each is placed by itself after all.
     *
     * @param waiting the one of the group that is next
     */
    Optional<GroupTerms> termsFor(Pod waiting);

    /**
     * Whether the pod may be in a gang, now or once more is known of its group: where several engines share a cluster, the overseer
     * decides it then. So this is not to change as often as the terms do, which engines do not hear of at once.
     */
    default boolean mayBeInGang(Pod pod) {
        return termsFor(pod).filter(GroupTerms::isGang).isPresent();
    }

    /**
     * Whether the plugin may keep the pod out of the queue because others of its group are missing, as it does with all of them
     * then. Not where it has something against this one alone, as a value in it that means nothing.
     */
    default boolean waitsForOthers(Pod gated) {
        return true;
    }

    /**
     * The name of a group.
     *
     * @param noun what it is to people, such as ReplicaSet or pod group
     * @param namespace of its pods
     * @param name of the object that it is called after
     * @param identity what tells it from others of that name, such as its owner's UID and revision; empty where nothing does
     */
    record GroupKey(String noun, String namespace, String name, String identity) {

        /** For people, such as {@code pod group shop/train}. */
        @Override
        public String toString() {
            return noun + " " + namespace + "/" + name;
        }
    }

    /**
     * On which terms the pods of a group are placed.
     *
     * @param minimum so many of it are in place, or none is placed; 0 where each is placed as it comes, with regard to the others
     * @param expected so many pods the group is to have in the end, as far as that is known; else 0
     * @param topologyKey all are to be in one of its domains; empty where they may be anywhere
     * @param mayBeAtOnce whether they are placed all at once where no order is legal, but the end is
     * @param steps how much may be tried for it; empty for the usual
     * @param object to which conditions and events about the group go; empty where there is none
     */
    record GroupTerms(
            int minimum,
            int expected,
            Optional<String> topologyKey,
            boolean mayBeAtOnce,
            OptionalLong steps,
            Optional<GroupObject> object) {

        /** Each pod is placed as it comes, with regard to pods of its group that are still to come. */
        public static GroupTerms lookAhead(int expected, OptionalLong steps) {
            return new GroupTerms(0, expected, Optional.empty(), false, steps, Optional.empty());
        }

        public static GroupTerms gang(int minimum, Optional<GroupObject> object) {
            return new GroupTerms(minimum, 0, Optional.empty(), false, OptionalLong.empty(), object);
        }

        public GroupTerms needing(int least) {
            return new GroupTerms(least, expected, topologyKey, mayBeAtOnce, steps, object);
        }

        /** The same in one domain of the key, where there is one. */
        public GroupTerms within(Optional<String> oneDomainOf) {
            return new GroupTerms(minimum, expected, oneDomainOf, mayBeAtOnce, steps, object);
        }

        public GroupTerms atOnce(boolean may) {
            return new GroupTerms(minimum, expected, topologyKey, may, steps, object);
        }

        /** Whether its pods are placed all together or not at all. */
        public boolean isGang() {
            return minimum > 0;
        }
    }

    /** The pods of groups. */
    interface GroupMembers {
        GroupMembers NONE = new GroupMembers() {
            @Override
            public int known(GroupKey group) {
                return 0;
            }
        };

        /** How many there are of a group: those that wait for one of our profiles, and those in place, each once. */
        int known(GroupKey group);

        /** The group of the pod, whichever scheduler it asks for. */
        default Optional<GroupKey> groupOf(Pod pod) {
            return Optional.empty();
        }
    }
}
