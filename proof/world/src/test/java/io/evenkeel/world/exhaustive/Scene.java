package io.evenkeel.world.exhaustive;

import java.util.List;

/**
 * Three pods and three nodes to begin with.
 *
 * @param podSpec what the pods ask for beside their CPU, as members of their spec in JSON
 * @param milliCpus of the nodes, in their order; a pod asks for 1000
 * @param rebinds whether a binding that fails for a moment is asked for again, as it is from 1.37 on; then at once
 */
record Scene(String name, List<Integer> milliCpus, String podSpec, boolean rebinds) {
    static final List<String> NODES = List.of("node-0", "node-1", "node-2");
    static final List<String> PODS = List.of("pod-0", "pod-1", "pod-2");

    /** One pod has to wait, for what others leave or for a node to become larger. */
    static final Scene SHORT = new Scene("two places for three", List.of(1_000, 1_000, 500), "", false);

    /** The same, asking again. */
    static final Scene AGAIN = new Scene("asking again", SHORT.milliCpus, SHORT.podSpec, true);

    /** There is room, but not beside each other. */
    static final Scene APART = new Scene("apart from each other", List.of(2_000, 2_000, 500), """
        ,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":\
        [{"topologyKey":"kubernetes.io/hostname","labelSelector":{"matchLabels":{"app":"small"}}}]}}\
        """, false);

    static final List<Scene> ALL = List.of(SHORT, AGAIN, APART);

    static Scene named(String name) {
        return ALL.stream().filter(scene -> scene.name.equals(name)).findFirst().orElseThrow();
    }

    @Override
    public String toString() {
        return name;
    }
}
