package io.evenkeel.groups;

import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.PodResources;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.groups.Certificate.Proof;
import java.util.List;
import java.util.Optional;

/**
 * For how many pods of the group some nodes have room at most: what is left on each of them by the least that a pod asks for. Only
 * what NodeResourcesFit enforces for all of them is counted, so where it is too little, no order helps.
 */
final class DomainRoom {
    private static final int[] COUNTED = {ResourceNames.CPU, ResourceNames.MEMORY};

    private final NodeTable table;
    private final int pods;
    private final boolean isEnforced;
    private final long[] least = new long[COUNTED.length];
    private final Board board;

    DomainRoom(Board board, MembersByKind crew) {
        this.board = board;
        this.table = board.view().nodes();
        this.pods = crew.pods();
        this.isEnforced =
                crew.kinds().stream().allMatch(kind -> board.judge(kind.first()).askPlugin(NodeVerdicts.RESOURCES));
        List<PodResources> requests = crew.resources();
        for (int i = 0; i < COUNTED.length; i++) {
            int resource = COUNTED[i];
            boolean limited = isEnforced
                    && crew.kinds().stream()
                            .allMatch(kind -> board.judge(kind.first())
                                    .limit(board.view().resources().nameOf(resource)));
            least[i] = limited
                    ? requests.stream()
                            .mapToLong(pod -> pod.requests().amountOf(resource))
                            .min()
                            .orElse(0)
                    : 0;
        }
    }

    /** That the nodes have too little room for all of the group, if that is so. */
    Optional<JointPlacement> tooLittle(NodeSetView nodes) {
        long room = 0;
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            room += roomOn(node);
            if (room >= pods) {
                return Optional.empty();
            }
        }
        String words =
                "its nodes have room for at most " + room + ", " + pods + (pods == 1 ? " is" : " are") + " asked for";
        return Optional.of(new JointPlacement.Infeasible(
                new Certificate(words, new Proof.TooLittleRoom(room, pods)), board.steps()));
    }

    private long roomOn(int node) {
        if (!isEnforced) {
            return pods;
        }
        long room = (long) table.allowedPods(node) - table.podCount(node);
        for (int i = 0; i < COUNTED.length; i++) {
            if (least[i] > 0) {
                room = Math.min(
                        room, (table.allocatable(COUNTED[i], node) - table.requested(COUNTED[i], node)) / least[i]);
            }
        }
        return Math.max(0, room);
    }
}
