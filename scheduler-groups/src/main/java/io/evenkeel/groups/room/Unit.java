package io.evenkeel.groups.room;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.model.Pod;
import java.util.Comparator;
import java.util.List;

/**
 * Who goes as a whole or stays: one pod, or all of a gang.
 *
 * @param name of the gang, empty for a single pod
 * @param members the most important first
 */
record Unit(String name, List<Member> members) {

    /** A pod in place. */
    record Member(PodInfo pod, int row, int node) {}

    boolean isGang() {
        return !name.isEmpty();
    }

    private Pod first() {
        return members.getFirst().pod().pod();
    }

    private int priority() {
        return first().spec().priority();
    }

    /** By priority; a gang before a single pod; by what else the order tells of their most important ones; the larger; by name. */
    static Comparator<Unit> mostImportantFirst(Comparator<Pod> order) {
        return Comparator.comparingInt(Unit::priority)
                .reversed()
                .thenComparing(Unit::isGang, Comparator.reverseOrder())
                .thenComparing(Unit::first, order)
                .thenComparing(unit -> unit.members().size(), Comparator.reverseOrder())
                .thenComparing(Unit::name)
                .thenComparing(unit -> unit.first().key());
    }
}
