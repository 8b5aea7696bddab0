package io.evenkeel.tools.cli;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Sleeper;
import io.evenkeel.kube.watch.Watches;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.tools.why.ClusterQuestions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The news of a cluster, told to questions that know it as it was listed. */
final class FollowedCluster implements AutoCloseable {
    /** Events that come within this time get one answer. */
    private static final Duration TOGETHER = Duration.ofSeconds(1);

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

    private final ClusterQuestions questions;
    private final BlockingQueue<SchedulerEvent> news = new LinkedBlockingQueue<>();
    private final Sleeper sleeper;
    private final Watches watches;
    private final WatchTroubles troubles;
    private final Consumer<String> warnings;

    /** @param warnings gets a sentence where the cluster cannot be watched, and where it can be again */
    FollowedCluster(
            ClusterQuestions questions,
            List<Kind<?>> kinds,
            ApiTransport transport,
            Machine machine,
            Consumer<String> warnings) {
        this.questions = questions;
        this.warnings = warnings;
        troubles = new WatchTroubles(transport.host());
        sleeper = machine.sleeper();
        watches = Watches.start(kinds, transport, news::add, machine);
    }

    /** Waits for news, and tells all of it there is. */
    void awaitNews() throws InterruptedException {
        SchedulerEvent first = first();
        sleeper.sleep(TOGETHER.toNanos());
        for (SchedulerEvent next = first; next != null; next = news.poll()) {
            questions.follow(next);
        }
    }

    private SchedulerEvent first() throws InterruptedException {
        while (true) {
            Optional<SchedulerEvent> first =
                    Optional.ofNullable(news.poll(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS));
            troubles.look(watches.statuses()).ifPresent(warnings);
            if (first.isPresent()) {
                return first.get();
            }
        }
    }

    @Override
    public void close() {
        watches.close();
    }
}
