package io.evenkeel.tools.why;

import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A scheduler and the copy for questions about its cluster, whose turns the test takes by hand. */
final class CopiedCluster {
    final Scheduler scheduler;
    final ClusterCopy copy;
    long now;
    int copies;
    boolean ended;
    Runnable whileCopied = () -> {};
    private final NewsFeed feed = new NewsFeed();

    CopiedCluster() {
        this(InTreePlugins.registry());
    }

    CopiedCluster(PluginRegistry registry) {
        scheduler = new Scheduler(
                UsualProfiles.CONFIGURATION,
                registry,
                new FirstByName(),
                SchedulerSettings.of(0),
                _ -> {},
                SchedulerObserver.NONE,
                () -> now);
        copy = new ClusterCopy(
                faults -> {
                    copies++;
                    whileCopied.run();
                    return new ClusterQuestions(UsualProfiles.CONFIGURATION, registry, Judgement.OWN, faults);
                },
                this::ask,
                feed,
                (_, _) -> {},
                () -> now);
        for (Kind<?> kind : scheduler.watchedKinds()) {
            tell(new Relist.Began(kind.name()));
            tell(new Relist.Ended(kind.name()));
        }
    }

    static ClusterQuestions empty() {
        return new ClusterQuestions(UsualProfiles.CONFIGURATION, InTreePlugins.registry(), Judgement.OWN, (_, _) -> {});
    }

    private <T> CompletableFuture<T> ask(Function<Scheduler, T> question) {
        return ended
                ? CompletableFuture.failedFuture(new CancellationException("the engine has ended"))
                : CompletableFuture.completedFuture(question.apply(scheduler));
    }

    void tell(SchedulerEvent event) {
        feed.saw(event);
        scheduler.handle(event);
    }

    void put(KubernetesObject object) {
        tell(new ClusterEvent.Put(object));
    }

    void remove(KubernetesObject object) {
        tell(new ClusterEvent.Removed(object));
    }

    /** A thread that takes the copy's turns until it is interrupted. */
    Thread turns() {
        return Thread.ofVirtual().unstarted(() -> {
            while (copy.turn(Long.MAX_VALUE)) {
                Thread.onSpinWait();
            }
        });
    }

    /** The answer once the copy has had its turn. */
    <T> T answer(ClusterCopy.Question<T> question) {
        CompletableFuture<T> reply = copy.ask(Requester.OPERATOR, "default/p", question);
        copy.turn(0);
        return reply.join();
    }

    void pass(long seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds);
    }
}
