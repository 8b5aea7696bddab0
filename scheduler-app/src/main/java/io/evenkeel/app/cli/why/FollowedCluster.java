package io.evenkeel.app.cli.why;

import io.evenkeel.app.why.ClusterQuestions;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Sleeper;
import io.evenkeel.kube.watch.Watches;
import io.evenkeel.model.kind.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The news of a cluster, told to questions that know it as it was listed. */
final class FollowedCluster implements AutoCloseable {
    /** Events that come within this time get one answer. */
    private static final Duration TOGETHER = Duration.ofSeconds(1);

    private final ClusterQuestions questions;
    private final BlockingQueue<SchedulerEvent> news = new LinkedBlockingQueue<>();
    private final Sleeper sleeper;
    private final Watches watches;

    FollowedCluster(ClusterQuestions questions, List<Kind<?>> kinds, ApiTransport transport, Machine machine) {
        this.questions = questions;
        sleeper = machine.sleeper();
        watches = Watches.start(kinds, transport, news::add, machine);
    }

    /** Waits for news, and tells all of it there is. */
    void awaitNews() throws InterruptedException {
        SchedulerEvent first = news.take();
        sleeper.sleep(TOGETHER.toNanos());
        for (SchedulerEvent next = first; next != null; next = news.poll()) {
            questions.follow(next);
        }
    }

    @Override
    public void close() {
        watches.close();
    }
}
