package io.evenkeel.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.watch.Watches.WatchStatus;
import io.evenkeel.tools.cli.Answering.FollowedCluster.WatchTroubles;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WatchTroublesTest {
    private final WatchTroubles troubles = new WatchTroubles("server:6443");

    @Test
    void oneLineIsToldHoweverManyFailAndOneWhenAllGoOn() {
        List<WatchStatus> gone = List.of(watch("Node", "refused"), watch("Pod", "refused"), absent("PodGroup"));

        assertThat(troubles.look(gone)).isEmpty();
        assertThat(troubles.look(gone))
                .contains("cannot watch server:6443, trying again; what is printed is as it was before: refused");
        assertThat(troubles.look(gone)).isEmpty();
        assertThat(troubles.look(List.of(watch("Node", ""), watch("Pod", "refused"))))
                .isEmpty();
        assertThat(troubles.look(List.of(watch("Node", ""), watch("Pod", ""))))
                .contains("server:6443 can be watched again");
        assertThat(troubles.look(List.of(watch("Node", ""), watch("Pod", "")))).isEmpty();
    }

    @Test
    void whereSomeFailTheyAreNamed() {
        List<WatchStatus> some = List.of(watch("Service", "403"), watch("Pod", ""), watch("Node", "403"));
        troubles.look(some);

        assertThat(troubles.look(some))
                .contains(
                        "cannot watch Node, Service of server:6443, trying again; what is printed is as it was before:"
                                + " 403");
    }

    @Test
    void aStreamThatIsOpenedAgainIsNoTrouble() {
        assertThat(troubles.look(List.of(watch("Pod", "cut"), watch("Node", ""))))
                .isEmpty();
        assertThat(troubles.look(List.of(watch("Pod", ""), watch("Node", "cut"))))
                .isEmpty();
    }

    private static WatchStatus watch(String kind, String problem) {
        return new WatchStatus(kind, true, problem.isEmpty(), false, Optional.empty(), 1, 1, 0, 0, problem);
    }

    private static WatchStatus absent(String kind) {
        return new WatchStatus(kind, true, false, true, Optional.empty(), 0, 0, 0, 0, "no such resource");
    }
}
