package io.evenkeel.lab.bench;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The make-up of a workload of the reference.
 *
 * @param zones of the nodes in turn; empty for nodes without a zone
 * @param namespaces of the residents; 0 for one
 * @param residents scheduled before the first pod is measured, at the usual number of nodes
 * @param residentsOf their forms in turn
 */
record PerfRow(
        String name,
        int nodes,
        List<String> zones,
        int namespaces,
        int residents,
        List<PodTemplate> residentsOf,
        int pods,
        PodTemplate podsOf,
        Optional<Intruders> intruders,
        OptionalInt floor) {

    /** Other pods among the measured ones: one after so many. */
    record Intruders(int every, PodTemplate of) {}

    static PerfRow of(String name, int nodes) {
        return new PerfRow(
                name, nodes, List.of(), 0, 0, List.of(), 1, PodTemplate.DEFAULT, Optional.empty(), OptionalInt.empty());
    }

    PerfRow zones(String... names) {
        return new PerfRow(
                name, nodes, List.of(names), namespaces, residents, residentsOf, pods, podsOf, intruders, floor);
    }

    PerfRow namespaces(int count) {
        return new PerfRow(name, nodes, zones, count, residents, residentsOf, pods, podsOf, intruders, floor);
    }

    PerfRow residents(int count) {
        return residents(count, PodTemplate.DEFAULT);
    }

    PerfRow residents(int count, PodTemplate... inTurn) {
        return new PerfRow(name, nodes, zones, namespaces, count, List.of(inTurn), pods, podsOf, intruders, floor);
    }

    PerfRow pods(int count, PodTemplate of) {
        return new PerfRow(name, nodes, zones, namespaces, residents, residentsOf, count, of, intruders, floor);
    }

    PerfRow among(int every, PodTemplate of) {
        Intruders others = new Intruders(every, of);
        return new PerfRow(
                name, nodes, zones, namespaces, residents, residentsOf, pods, podsOf, Optional.of(others), floor);
    }

    PerfRow floor(int podsPerSecond) {
        return new PerfRow(
                name,
                nodes,
                zones,
                namespaces,
                residents,
                residentsOf,
                pods,
                podsOf,
                intruders,
                OptionalInt.of(podsPerSecond));
    }
}
