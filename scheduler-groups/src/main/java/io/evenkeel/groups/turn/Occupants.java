package io.evenkeel.groups.turn;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.PreemptingPlugin.VictimOrder;
import io.evenkeel.groups.turn.GangPreemption.Gang;
import io.evenkeel.groups.turn.Occupants.Unit.Member;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The pods in place that are less important than a gang: pods that are leaving anyway, and pods that may go for it, in units.
 * They are read when this is made, and known to the cluster until it is closed, so that taking them away and putting them
 * back costs little.
 */
final class Occupants implements AutoCloseable {
    private final ClusterState cluster;
    private final Comparator<Unit> importance;
    private final List<Pod> leaving = new ArrayList<>();
    private final List<Unit> byImportance = new ArrayList<>();
    private final List<Unit> protectedUnits = new ArrayList<>();
    private final List<Unit> others = new ArrayList<>();
    private boolean areSomeKept;

    /** @param isLeaving whether a pod goes anyway */
    Occupants(ClusterState cluster, Gang gang, VictimOrder victims, Predicate<Pod> isLeaving) {
        this.cluster = cluster;
        Comparator<Pod> order = victims.mostImportantFirst();
        importance = Unit.mostImportantFirst(order);
        collect(gang, order, isLeaving).sorted(importance).forEach(byImportance::add);
        divide(victims.violating(byImportance.stream()
                .flatMap(unit -> unit.members().stream())
                .mapToInt(Member::row)
                .toArray()));
    }

    private Stream<Unit> collect(Gang gang, Comparator<Pod> order, Predicate<Pod> isLeaving) {
        ClusterView view = cluster.view();
        PodTable pods = view.pods();
        List<Unit> single = new ArrayList<>();
        Map<String, List<Member>> gangs = new HashMap<>();
        Set<String> staying = new HashSet<>();
        int priority = gang.priority();
        for (int row = 0; row < pods.end(); row++) {
            if (pods.isFree(row) || !view.nodes().isPresent(pods.node(row))) {
                continue;
            }
            Pod pod = pods.pod(row);
            boolean mayGo = pod.spec().priority() < priority && !gang.isMember().test(pod);
            if (mayGo && isLeaving.test(pod)) {
                leaving.add(pod);
                continue;
            }
            Optional<String> unit = gang.unitOf().apply(pod);
            if (mayGo) {
                Member member = new Member(new PodInfo(pod, pods.shape(row)), row, pods.node(row));
                unit.ifPresentOrElse(
                        name -> gangs.computeIfAbsent(name, _ -> new ArrayList<>())
                                .add(member),
                        () -> single.add(new Unit("", List.of(member))));
            } else {
                unit.ifPresent(staying::add);
            }
        }
        areSomeKept = gangs.keySet().removeAll(staying);
        return Stream.concat(
                single.stream(),
                gangs.entrySet().stream().map(named -> gangOf(named.getKey(), named.getValue(), order)));
    }

    private static Unit gangOf(String name, List<Member> members, Comparator<Pod> order) {
        members.sort(Comparator.comparing((Member member) -> member.pod().pod(), order)
                .thenComparing(member -> member.pod().pod().key()));
        return new Unit(name, List.copyOf(members));
    }

    /** A gang is protected where one of its pods is. */
    private void divide(BitSet violating) {
        int place = 0;
        for (Unit unit : byImportance) {
            unit.members().forEach(member -> cluster.admit(member.pod().pod()));
            int end = place + unit.members().size();
            int next = violating.nextSetBit(place);
            (next >= 0 && next < end ? protectedUnits : others).add(unit);
            place = end;
        }
    }

    /** Nobody who could be asked to go. */
    boolean isEmpty() {
        return byImportance.isEmpty();
    }

    /** Whether some stay as others of their gang do, which are not less important. */
    boolean areSomeKept() {
        return areSomeKept;
    }

    void takeAwayLeaving(WhatIf whatIf) {
        leaving.forEach(whatIf::remove);
    }

    void takeAwayOthers(WhatIf whatIf) {
        byImportance.forEach(unit ->
                unit.members().forEach(member -> whatIf.remove(member.pod().pod())));
    }

    /** In the order of reprieve: first pods with an eviction that violates a budget; then by importance. */
    List<Unit> inOrderOfReprieve() {
        return Stream.concat(protectedUnits.stream(), others.stream()).toList();
    }

    /** Returns the pods of the units, the most important first. */
    List<Pod> podsOf(Collection<Unit> units) {
        return units.stream()
                .sorted(importance)
                .flatMap(unit -> unit.members().stream())
                .map(member -> member.pod().pod())
                .toList();
    }

    @Override
    public void close() {
        for (Unit unit : byImportance) {
            unit.members().forEach(member -> cluster.giveBack(member.pod()));
        }
    }

    /**
     * Who goes as a whole or stays: one pod, or all of a gang.
     *
     * @param name of the gang, empty for a single pod
     * @param members the most important first
     */
    record Unit(String name, List<Member> members) {

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
}
