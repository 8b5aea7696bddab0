package io.evenkeel.app.observe.spread;

/**
 * What a lint has to say of a constraint of a workload.
 *
 * @param lint its name
 * @param constraint the constraint, and whose it is
 * @param wrong what is wrong with it
 * @param remedy what to do
 */
public record Finding(String lint, SpreadName constraint, String wrong, String remedy) {

    /** What it is told apart by: the words may have other numbers tomorrow. */
    public record Key(String lint, SpreadName constraint) {}

    public Key key() {
        return new Key(lint, constraint);
    }
}
