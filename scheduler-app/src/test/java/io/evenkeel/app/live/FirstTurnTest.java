package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.dispatch.DispatcherObserver;
import io.evenkeel.kube.election.LeaseStore;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** When a replica has won the lease, pods that wait do so no longer: the engine, which rests, is woken. */
class FirstTurnTest {
    private static final LeaderElection OFTEN = new LeaderElection(
            true, Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(50), "leases", "l", "kube-system");

    private final LeaseStore leases = new LeaseStore();
    private volatile boolean open;
    private volatile boolean synced;
    /** Of the turns at whose end the pod had a node: how many events began them. */
    private final List<Integer> placing = new CopyOnWriteArrayList<>();

    private ApiAnswer answer(ApiCall call) {
        return open && call.path().contains("/leases") ? leases.answer(call) : Answers.of(500, "");
    }

    private void turned(Scheduler scheduler, int events, long nanos) {
        synced = scheduler.isSynced();
        if (scheduler.cluster().pods().count() > 0) {
            placing.add(events);
        }
    }

    @Test
    void theEngineIsToldThatItLeads() {
        try (LiveScheduler live = LiveScheduler.assemble(
                SchedulerConfiguration.defaults().toBuilder()
                        .leaderElection(OFTEN)
                        .build(),
                new ScriptedTransport(this::answer),
                LiveOptions.usual("test"),
                new LiveObservers(SchedulerObserver.NONE, DispatcherObserver.NONE, this::turned),
                Machine.SYSTEM)) {
            live.begin();
            live.kinds().forEach(kind -> live.mailbox().news(new Relist.Began(kind.name())));
            live.mailbox()
                    .news(new ClusterEvent.Put(
                            NodeBuilder.node("n").allocatable("pods", "10").build()));
            live.mailbox().news(new ClusterEvent.Put(PodBuilder.pod("p").build()));
            live.kinds().forEach(kind -> live.mailbox().news(new Relist.Ended(kind.name())));
            await().until(() -> synced);
            open = true;

            await().until(() -> !placing.isEmpty());
            assertThat(placing.getFirst()).isPositive();
        }
    }
}
