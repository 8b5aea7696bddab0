package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.Surroundings;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.patch.MergePatch;
import io.evenkeel.kube.patch.PatchSink;
import io.evenkeel.kube.patch.PatchSink.Pace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.Tree;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several look on beside one scheduler, and each writes what it has to say. */
class CompanionsTest {
    private final ScriptedTransport server =
            new ScriptedTransport(call -> Answers.of(call.method().equals("PATCH") ? 200 : 500, "{}"));
    private final List<String> told = new CopyOnWriteArrayList<>();

    private final class Writing implements Companion {
        private final String name;
        private Optional<Surroundings> around = Optional.empty();
        private Optional<PatchSink> patches = Optional.empty();

        Writing(String name) {
            this.name = name;
        }

        @Override
        public void begin(Surroundings surroundings) {
            around = Optional.of(surroundings);
            patches = Optional.of(surroundings.patches(name, new Pace(1, Duration.ofDays(1))));
        }

        @Override
        public void taking(Scheduler scheduler, SchedulerEvent event) {
            if (event instanceof Relist.Began(var kind) && kind.equals(Kinds.NODE.name())) {
                told.add(name);
            }
        }

        @Override
        public void turned(Scheduler scheduler, int events, long nanos) {
            if (around.orElseThrow().isLeading()) {
                patches.orElseThrow()
                        .put(MergePatch.status(Kinds.NODE, ObjectMeta.named("", name), new Tree().put("by", name)));
            }
        }

        @Override
        public Instruments metrics() {
            return Stream::empty;
        }
    }

    @Test
    void eachIsToldAndWritesAtItsOwnPace() {
        try (LiveScheduler live = live(LiveOptions.usual("test"))) {
            knowNothing(live);

            await().until(() -> patched().size() == 2);
            assertThat(told).containsExactly("one", "other");
            assertThat(patched()).containsExactlyInAnyOrder("/api/v1/nodes/one/status", "/api/v1/nodes/other/status");
        }
    }

    @Test
    void aRehearsalWritesNothing() {
        try (LiveScheduler live = live(new LiveOptions(true, false, Duration.ofMinutes(5), "test"))) {
            knowNothing(live);

            await().until(() -> told.size() == 2 && live.isLeading());
            live.loop().wake();
            await().until(() -> live.mailbox().isEmpty());
            assertThat(patched()).isEmpty();
        }
    }

    private LiveScheduler live(LiveOptions options) {
        LeaderElection usual = LeaderElection.defaults();
        return LiveScheduler.assemble(
                SchedulerConfiguration.defaults().toBuilder()
                        .leaderElection(new LeaderElection(
                                false,
                                usual.leaseDuration(),
                                usual.renewDeadline(),
                                usual.retryPeriod(),
                                usual.resourceLock(),
                                usual.resourceName(),
                                usual.resourceNamespace()))
                        .build(),
                server,
                options,
                LiveObservers.NONE.with(List.of(new Writing("one"), new Writing("other"))),
                Machine.SYSTEM);
    }

    private static void knowNothing(LiveScheduler live) {
        live.begin();
        live.kinds().forEach(kind -> live.mailbox().news(new Relist.Began(kind.name())));
        live.kinds().forEach(kind -> live.mailbox().news(new Relist.Ended(kind.name())));
    }

    private List<String> patched() {
        return server.calls().stream()
                .filter(call -> call.method().equals("PATCH"))
                .map(ApiCall::path)
                .toList();
    }
}
