package io.evenkeel.shard;

/**
 * How far an engine has got, by the versions of pods and nodes, which grow.
 *
 * @param pods each pod of a version up to this was seen before whatever is still on its way to a node was decided
 * @param podsSeen the newest version of a pod that was seen
 * @param nodes each node of a version up to this was seen before whatever is still on its way to a node was decided, and what was missed
 *     as all were listed matters to nobody
 * @param nodesSeen each node of a version up to this was seen, or another by its name since
 */
public record ShardProgress(long pods, long podsSeen, long nodes, long nodesSeen) {
    /** Of an engine that has seen nothing. */
    public static final ShardProgress NONE = new ShardProgress(0, 0, 0, 0);

    /** Of one that is not there and binds nothing: there is no need to wait for it. */
    public static final ShardProgress NOBODY = new ShardProgress(Long.MAX_VALUE, 0, Long.MAX_VALUE, Long.MAX_VALUE);

    /** What both have done; and the newest that either has seen, which is to be waited for. */
    public ShardProgress and(ShardProgress other) {
        return new ShardProgress(
                Math.min(pods, other.pods),
                Math.max(podsSeen, other.podsSeen),
                Math.min(nodes, other.nodes),
                Math.min(nodesSeen, other.nodesSeen));
    }
}
