package io.evenkeel.tools.observe;

/**
 * A lint's finding about a constraint of a workload.
 *
 * @param lint its name
 * @param constraint the constraint and its workload
 * @param wrong what is wrong with it
 * @param remedy what to do
 */
record Finding(String lint, SpreadName constraint, String wrong, String remedy) {

    /** Tells findings apart: the words may have other numbers tomorrow. */
    record Key(String lint, SpreadName constraint) {}

    Key key() {
        return new Key(lint, constraint);
    }
}
