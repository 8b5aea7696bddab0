package io.evenkeel.groups;

import java.util.List;
import java.util.Map;

/**
 * Why a group cannot be placed.
 *
 * @param words for people, in one line
 * @param proof for anybody who wants to check it
 */
record Certificate(String words, Proof proof) {

    /** The same, with more to tell; nothing where that is empty. */
    Certificate with(String more) {
        String first = words.endsWith(".") ? words.substring(0, words.length() - 1) : words;
        return more.isEmpty() ? this : new Certificate(first + "; " + more, proof);
    }

    /** How it was shown. */
    sealed interface Proof {

        /** A pod that no node can take, whatever else is placed. */
        record FitsNowhere(String pod) implements Proof {}

        /**
         * So many pods that are spread by the same constraints lead to no state that these allow. Each constraint has its emptiest
         * domain, and that holds some number of pods in the end; for each choice of these numbers something contradicts:
         * either one constraint and the room in its domains rule the number out by themselves, or the choice has a cut.
         *
         * @param pods by key
         * @param chain the topology keys of one side, from coarse to fine
         * @param otherChain the topology keys of the other
         * @param perNode the keys each domain of which has one node that comes into question
         * @param rules the constraints in the order of the keys above, in words
         */
        record Cuts(
                List<String> pods,
                List<String> chain,
                List<String> otherChain,
                List<String> perNode,
                List<String> rules,
                List<Cut> cuts)
                implements Proof {}

        /** The nodes have room for so many and more are asked for, whatever order they come in. */
        record TooLittleRoom(long room, long asked) implements Proof {}

        /**
         * No domain of the topology takes all.
         *
         * @param byDomain why not, by each domain that came into question
         */
        record NoDomain(String topologyKey, Map<String, Certificate> byDomain) implements Proof {}

        /** Every order and every state that the filters do not rule out was gone through. */
        record Exhausted(long steps) implements Proof {}
    }

    /**
     * Domains that must be given more pods than they can give on, where the emptiest domains end with these numbers. Without
     * any domain: some domain must take more than it may.
     *
     * @param minima by rule
     */
    record Cut(List<Integer> minima, List<Vertex> inside) {}

    /**
     * A domain, as a vertex of the network.
     *
     * @param key its topology key, or {@code ""} where it is the vertex that all pods come from, or go to
     */
    record Vertex(String key, String domain) {
        static final Vertex FROM = new Vertex("", "from");
        static final Vertex TO = new Vertex("", "to");
    }
}
