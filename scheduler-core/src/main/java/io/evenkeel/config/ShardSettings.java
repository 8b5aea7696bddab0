package io.evenkeel.config;

import java.util.List;

/**
 * How nodes are parted among engines.
 *
 * @param nodeLabel the label whose values part them; empty where their names are hashed
 * @param values of the label, a shard each; nodes of others, and without it, are in one more
 * @param count of shards, where names are hashed
 * @param refusesAcross whether pods that one shard cannot judge are refused, so that no engine knows all nodes
 */
public record ShardSettings(String nodeLabel, List<String> values, int count, boolean refusesAcross) {
    /** All nodes are in one engine. */
    public static final ShardSettings NONE = new ShardSettings("", List.of(), 1, false);

    public static final int MOST_SHARDS = 64;

    /** Beside their shards there is one more. */
    public static final int MOST_VALUES = MOST_SHARDS - 1;

    public ShardSettings {
        values = List.copyOf(values);
    }

    /** How many shards there are. */
    public int shards() {
        return nodeLabel.isEmpty() ? count : values.size() + 1;
    }
}
