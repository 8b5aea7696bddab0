package io.evenkeel.app.why.api;

import io.evenkeel.app.why.ClusterQuestions;
import io.evenkeel.app.why.ToldScheduler;
import io.evenkeel.app.why.UnwantedAnswerException;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.kube.api.Loop;
import io.evenkeel.model.KubernetesObject;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the engine knows of the cluster a second time, for questions: they are answered on a thread of their own, and the
 * engine goes on meanwhile, whoever asks whatever. The copy is made when somebody asks, follows the engine from then on, and
 * is let go when nobody has asked for a while. Objects are shared between the two, what is counted of them is not.
 *
 * <pre>
 *   engine's thread   event ─▶ scheduler
 *                       └────▶ news ──┐                 only while there is a copy
 *   this thread                       ▼
 *   question ─▶ asked ─▶ takes the news, then answers ─▶ reply
 * </pre>
 */
public final class ClusterCopy implements Loop {
    private static final Logger log = LoggerFactory.getLogger(ClusterCopy.class);
    private static final int MOST_ASKED = 64;
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long KEPT = TimeUnit.MINUTES.toNanos(5);
    private static final long LONGEST_SLEEP = TimeUnit.SECONDS.toNanos(1);

    /** The scheduler that is copied. */
    @FunctionalInterface
    public interface Original {
        /** Asks between two pods, on the engine's thread. */
        <T> CompletableFuture<T> ask(Function<Scheduler, T> question);
    }

    private record Asked<T>(Function<ClusterQuestions, T> question, CompletableFuture<T> reply) {
        void answer(ClusterQuestions copy) {
            copy.whileWanted(() -> !reply.isDone());
            reply.complete(question.apply(copy));
        }
    }

    /** A copy, and what is to be taken in there next. */
    private record Following(ClusterQuestions questions, NewsFeed.Subscription news) {
        void catchUp() {
            news.take(questions::follow);
        }
    }

    private record Snapshot(List<KubernetesObject> objects, NewsFeed.Subscription news) {}

    private final BlockingQueue<Asked<?>> asked = new LinkedBlockingQueue<>(MOST_ASKED);
    private final Supplier<ClusterQuestions> empty;
    private final Original original;
    private final NewsFeed feed;
    private final LongSupplier clock;
    private Optional<Following> copy = Optional.empty();
    private long lastAsked;

    /**
     * @param empty makes questions about a cluster of which nothing is known, by the original's configuration
     * @param feed is told of all that the original takes in
     */
    public ClusterCopy(Supplier<ClusterQuestions> empty, Original original, NewsFeed feed, LongSupplier clock) {
        this.empty = empty;
        this.original = original;
        this.feed = feed;
        this.clock = clock;
    }

    /** Empty where so many have asked that this one would wait for long. */
    <T> Optional<CompletableFuture<T>> ask(Function<ClusterQuestions, T> question) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        return asked.offer(new Asked<>(question, reply)) ? Optional.of(reply) : Optional.empty();
    }

    @Override
    public boolean turn(long longestWait) {
        try {
            Asked<?> next = asked.poll(Math.min(longestWait, nanosUntilNext()), TimeUnit.NANOSECONDS);
            if (next == null) {
                idle();
            } else if (!next.reply().isDone()) {
                lastAsked = clock.getAsLong();
                answer(next);
            }
            return true;
        } catch (InterruptedException asWished) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public long nanosUntilNext() {
        return copy.isPresent() ? BETWEEN_LOOKS : LONGEST_SLEEP;
    }

    /** A fault is the answer of whoever has asked. The copy may be wrong then, and another is made for the next. */
    private void answer(Asked<?> next) {
        try {
            next.answer(current());
        } catch (UnwantedAnswerException gone) {
            next.reply().completeExceptionally(gone);
        } catch (Throwable fault) {
            log.error("Question about a pod failed", fault);
            letGo();
            next.reply().completeExceptionally(fault);
        }
    }

    private void idle() {
        if (copy.isEmpty()) {
            return;
        }
        if (clock.getAsLong() - lastAsked > KEPT) {
            letGo();
            log.info("Copy of the cluster dropped, as no questions come");
            return;
        }
        try {
            copy.get().catchUp();
        } catch (Throwable fault) {
            log.error("Copy of the cluster cannot follow, the next question gets a new one", fault);
            letGo();
        }
    }

    private void letGo() {
        copy = Optional.empty();
        feed.end();
    }

    private ClusterQuestions current() {
        copy.ifPresent(Following::catchUp);
        if (copy.filter(following -> !following.news().isBroken()).isEmpty()) {
            copy = Optional.of(made());
        }
        return copy.get().questions();
    }

    private Following made() {
        long begin = clock.getAsLong();
        letGo();
        Snapshot snapshot = snapshot();
        ClusterQuestions questions = empty.get();
        questions.tell(snapshot.objects());
        log.atInfo()
                .setMessage("Cluster copied for questions about pods")
                .addKeyValue("objects", snapshot.objects().size())
                .addKeyValue("milliseconds", TimeUnit.NANOSECONDS.toMillis(clock.getAsLong() - begin))
                .log();
        Following following = new Following(questions, snapshot.news());
        following.catchUp();
        return following;
    }

    private Snapshot snapshot() {
        try {
            return original.ask(scheduler -> new Snapshot(ToldScheduler.known(scheduler), feed.begin()))
                    .join();
        } catch (CompletionException failed) {
            throw new IllegalStateException("the engine does not answer", failed.getCause());
        }
    }
}
