package io.evenkeel.framework;

import io.evenkeel.model.GroupObject;
import java.util.Optional;
import java.util.OptionalLong;

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
public record GroupTerms(
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

    /** So many or none. */
    public static GroupTerms gang(int minimum, Optional<GroupObject> object) {
        return new GroupTerms(minimum, 0, Optional.empty(), false, OptionalLong.empty(), object);
    }

    /** The same, and so many or none. */
    public GroupTerms needing(int least) {
        return new GroupTerms(least, expected, topologyKey, mayBeAtOnce, steps, object);
    }

    /** The same in one domain of the key, where there is one. */
    public GroupTerms within(Optional<String> oneDomainOf) {
        return new GroupTerms(minimum, expected, oneDomainOf, mayBeAtOnce, steps, object);
    }

    /** The same, and perhaps at once. */
    public GroupTerms atOnce(boolean may) {
        return new GroupTerms(minimum, expected, topologyKey, may, steps, object);
    }

    /** Whether its pods are placed all together or not at all. */
    public boolean isGang() {
        return minimum > 0;
    }
}
