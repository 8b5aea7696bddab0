package io.evenkeel.groups;

import static io.evenkeel.groups.GroupScene.HOST;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.Board.Mark;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

class BoardTest {
    private final GroupScene scene = new GroupScene()
            .with(GroupScene.node("n0", 3).build())
            .with(GroupScene.node("n1", 3).build())
            .with(GroupScene.node("n2", 3).build());

    private final List<PodInfo> pods = scene.admit(GroupScene.pods(4, HOST));

    private NodeSet only(int node) {
        NodeSet nodes = new NodeSet();
        nodes.add(node);
        return nodes;
    }

    @Test
    void countsWhatIsPlacedAndWhatIsAsked() {
        try (Board board = scene.board(new Budget(100, 100))) {
            board.ask(pods.get(0));
            assertThat(board.mark()).isEqualTo(new Mark(0, 1));
            board.place(pods.get(0), 0);
            assertThat(board.mark()).isEqualTo(new Mark(1, 2));
            board.fits(pods.get(1), 1);
            assertThat(board.mark()).isEqualTo(new Mark(1, 3));
            board.choose(pods.get(1));
            assertThat(board.mark()).isEqualTo(new Mark(1, 7));
            assertThat(board.steps()).isEqualTo(1);
        }
    }

    @Test
    void whatIsSpentCountsAsWorkOnTheCluster() {
        try (Board board = scene.board(new Budget(100, 100))) {
            long before = board.view().work().units();
            board.spend(3);
            assertThat(board.view().work().units() - before).isEqualTo(3 * 256);
        }
    }

    @Test
    void searchesForDevicesCountAsTheQuestionsThatTakeAsLong() {
        try (Board board = scene.board(new Budget(100, 100))) {
            board.view().work().add(25_600);
            board.ask(pods.get(0));
            assertThat(board.isSpent()).isFalse();
            board.view().work().addSearched(25_600);
            board.ask(pods.get(0));
            assertThat(board.mark()).isEqualTo(new Mark(0, 102));
            assertThat(board.isSpent()).isTrue();
        }
    }

    @Test
    void isSpentWithItsStepsOrWithItsWork() {
        try (Board board = scene.board(new Budget(2, 100))) {
            board.place(pods.get(0), 0);
            assertThat(board.isSpent()).isFalse();
            board.place(pods.get(1), 1);
            assertThat(board.isSpent()).isTrue();
            assertThat(board.isAllSpent()).isTrue();
        }
        try (Board board = scene.board(new Budget(100, 5))) {
            assertThat(board.spend(4)).isTrue();
            assertThat(board.isAllSpent()).isFalse();
            assertThat(board.spend(1)).isFalse();
            assertThat(board.isSpent()).isTrue();
            assertThat(board.isAllSpent()).isTrue();
        }
    }

    @Test
    void aPartIsSpentSinceAMarkWithThatPartOfStepsOrOfWork() {
        try (Board board = scene.board(new Budget(8, 40))) {
            board.spend(3);
            Mark mark = board.mark();
            board.spend(9);
            assertThat(board.isSpentSince(mark, 4)).isFalse();
            board.spend(1);
            assertThat(board.isSpentSince(mark, 4)).isTrue();
            Mark later = board.mark();
            board.place(pods.get(0), 0);
            assertThat(board.isSpentSince(later, 4)).isFalse();
            board.place(pods.get(1), 1);
            assertThat(board.isSpentSince(later, 4)).isTrue();
        }
    }

    @Test
    void anEffortLastsForItsPartFromWhenItIsAskedFor() {
        try (Board board = scene.board(new Budget(100, 40))) {
            board.spend(5);
            LongPredicate effort = board.effort(4);
            assertThat(effort.test(9)).isTrue();
            assertThat(effort.test(1)).isFalse();
            assertThat(board.isSpent()).isFalse();
        }
    }

    @Test
    void whereItIsNarrowedNothingIsPlacedElsewhere() {
        try (Board board = scene.board(new Budget(100, 100))) {
            assertThat(board.fits(pods.get(0), 0)).isTrue();
            board.narrowTo(only(1), 2, 1);
            assertThat(board.fits(pods.get(0), 0)).isFalse();
            assertThat(board.fits(pods.get(0), 1)).isTrue();
            assertThat(board.ask(pods.get(0)).fitting().size()).isEqualTo(1);
            assertThat(board.choose(pods.get(0))).isEqualTo(1);
            assertThat(board.nodes().size()).isEqualTo(1);
        }
    }

    @Test
    void whereItIsNarrowedAPartOfWhatIsLeftMayBeSpent() {
        try (Board board = scene.board(new Budget(1_000, 100))) {
            board.spend(20);
            board.narrowTo(only(1), 4, 2);
            assertThat(board.spend(19)).isTrue();
            assertThat(board.spend(1)).isFalse();
            assertThat(board.isAllSpent()).isFalse();
            // of 60 an eighth is less than two pods take
            board.narrowTo(only(1), 8, 2);
            assertThat(board.spend(7)).isTrue();
            assertThat(board.spend(1)).isFalse();
            // and what two thousand take is not left
            board.narrowTo(only(1), 8, 2_000);
            assertThat(board.spend(51)).isTrue();
            assertThat(board.spend(1)).isFalse();
            assertThat(board.isAllSpent()).isTrue();
        }
    }

    @Test
    void whereItIsNarrowedStepsAreSharedToo() {
        try (Board board = scene.board(new Budget(9, 1_000))) {
            board.place(pods.get(0), 0);
            board.narrowTo(only(1), 4, 0);
            board.place(pods.get(1), 1);
            assertThat(board.isSpent()).isFalse();
            board.place(pods.get(2), 1);
            assertThat(board.isSpent()).isTrue();
            board.narrowTo(only(1), 1, 0);
            assertThat(board.isSpent()).isFalse();
        }
        try (Board board = scene.board(new Budget(5, 1_000))) {
            board.narrowTo(only(1), 5, 1);
            board.place(pods.get(0), 1);
            board.place(pods.get(1), 1);
            board.place(pods.get(2), 1);
            assertThat(board.isSpent()).isFalse();
            board.place(pods.get(3), 1);
            assertThat(board.isSpent()).isTrue();
        }
    }

    @Test
    void podsAreTakenBackNewestFirst() {
        try (Board board = scene.board(new Budget(100))) {
            board.place(pods.get(0), 2);
            board.place(pods.get(1), 0);
            board.place(pods.get(2), 1);
            assertThat(board.seats()).extracting(Seat::node).containsExactly("n2", "n0", "n1");
            board.takeBack();
            assertThat(board.seats()).extracting(Seat::node).containsExactly("n2", "n0");
            board.takeBackTo(1);
            assertThat(board.seats()).extracting(seat -> seat.pod().name()).containsExactly("p0");
            assertThat(board.count()).isEqualTo(1);
        }
        assertThat(scene.engine.cluster().nodes().podCount(2)).isZero();
    }

    @Test
    void moreLikeAPodAreMadeOnce() {
        try (Board board = scene.board(new Budget(100))) {
            PodInfo second = board.another(pods.get(0), 1);
            assertThat(second.pod().name()).isEqualTo("p0~more-1");
            assertThat(board.another(pods.get(0), 1)).isSameAs(second);
            assertThat(board.another(pods.get(0), 0).pod().name()).isEqualTo("p0~more-0");
            board.place(second, 1);
        }
        assertThat(scene.engine.cluster().nodes().podCount(1)).isZero();
        assertThat(ClusterAudit.differences(scene.engine.cluster())).isEmpty();
    }

    @Test
    void aStateIsLegalWhereEachIsAllowedBesideAllOthers() {
        try (Board board = scene.board(new Budget(100))) {
            board.place(pods.get(0), 0);
            board.place(pods.get(1), 1);
            assertThat(board.isLegalAsAWhole()).isTrue();
            board.place(pods.get(2), 1);
            // a third node has none
            assertThat(board.isLegalAsAWhole()).isFalse();
            board.place(pods.get(3), 2);
            assertThat(board.isLegalAsAWhole()).isTrue();
            assertThat(board.count()).isEqualTo(4);
        }
    }
}
