package io.evenkeel.tools.why;

import io.evenkeel.cluster.index.ClusterIndex.BrokenIndex;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.kube.api.Machine.Loop;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * A second copy of the engine's cluster, for questions: they are answered on a thread of their own, and the engine goes
 * on meanwhile, whatever is asked. The copy is made for the first question, follows the engine from then on, and
 * is let go after a while without questions. If it cannot follow, another is made, with pauses between them. Objects are shared
 * between the two, counters are not.
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
    private static final int MOST_ASKED_BY_ONE = 8;
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long KEPT = TimeUnit.MINUTES.toNanos(5);
    private static final long LONGEST_SLEEP = TimeUnit.SECONDS.toNanos(1);

    @FunctionalInterface
    interface Original {
        /** Asks between two pods, on the engine's thread. */
        <T> CompletableFuture<T> ask(Function<Scheduler, T> question);
    }

    /** Hears of what happens in the cluster while there is a copy, each time before the copy is told. */
    @FunctionalInterface
    public interface Follower {
        void news(ClusterQuestions copy, ClusterEvent event);
    }

    /** A question that can be put to the copy. */
    @FunctionalInterface
    public interface Question<T> {
        T answer(ClusterQuestions copy, Requester asker);
    }

    private record Asked<T>(Requester asker, String pod, Question<T> question, PendingAnswer<T> reply) {
        boolean isWanted() {
            return asker.stillWanted().getAsBoolean() && !reply.isDone();
        }

        void answer(ClusterQuestions copy) {
            reply.complete(question.answer(copy, asker.whileAlso(() -> !reply.isDone())));
        }
    }

    /** A copy, and what is to be taken in there next. */
    private record Following(ClusterQuestions questions, NewsFeed.Subscription news, Follower follower) {
        void catchUp() {
            news.take(event -> {
                follower.news(questions, event);
                questions.follow(event);
            });
        }
    }

    private record Snapshot(List<KubernetesObject> objects, NewsFeed.Subscription news) {}

    private final FairQueue<Asked<?>> line = new FairQueue<>(MOST_ASKED_BY_ONE, MOST_ASKED);
    private final Function<BiConsumer<Pod, RuntimeException>, ClusterQuestions> empty;
    private final Original original;
    private final NewsFeed feed;
    private final Follower follower;
    private final LongSupplier clock;
    private final FailedQuestions failed;
    private final CopyPauses pauses = new CopyPauses();
    private Optional<Following> copy = Optional.empty();
    private long lastAsked;

    /**
     * @param empty makes questions about an empty cluster, by the original's configuration; what it is given hears of plugins
     *     that fail where an answer goes on without them
     * @param feed is told of all that the original takes in
     */
    ClusterCopy(
            Function<BiConsumer<Pod, RuntimeException>, ClusterQuestions> empty,
            Original original,
            NewsFeed feed,
            Follower follower,
            LongSupplier clock) {
        this.empty = empty;
        this.original = original;
        this.feed = feed;
        this.follower = follower;
        this.clock = clock;
        failed = new FailedQuestions(clock);
    }

    /**
     * The answer, or a {@link TooManyQuestionsException} where so many have been asked that this one would wait for long.
     *
     * @param pod that is asked about, as {@code namespace/name}
     */
    <T> PendingAnswer<T> ask(Requester asker, String pod, Question<T> question) {
        PendingAnswer<T> reply = new PendingAnswer<>();
        Asked<T> asked = new Asked<>(asker, pod, question, reply);
        line.join(asker.name(), asked)
                .ifPresent(away -> away.reply().completeExceptionally(new TooManyQuestionsException()));
        var _ = reply.whenComplete((_, _) -> line.leave(asker.name(), asked));
        return reply;
    }

    @Override
    public boolean turn(long longestWait) {
        try {
            line.next(Math.min(longestWait, nanosUntilNext())).ifPresentOrElse(this::answer, this::idle);
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

    /** Answers with the fault, if there is one: only the asker hears of it. */
    private void answer(Asked<?> next) {
        if (!next.isWanted()) {
            next.reply().cancel(false);
            return;
        }
        lastAsked = clock.getAsLong();
        next.reply().begin();
        try {
            next.answer(current());
        } catch (CancelledQuestionException | NoCopyException | EngineUnavailableException known) {
            next.reply().completeExceptionally(known);
        } catch (Throwable fault) {
            failed.failed(next.pod(), fault);
            if (FailedQuestions.breaksCopy(fault)) {
                letGo();
            }
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
            followOrLetGo();
        } catch (Throwable fault) {
            log.error("Copy of the cluster cannot follow, the next question gets a new one", fault);
            letGo();
        }
    }

    private void letGo() {
        copy = Optional.empty();
        feed.end();
    }

    /** @throws NoCopyException where there is none, and none may be made yet */
    private ClusterQuestions current() {
        followOrLetGo();
        if (copy.isEmpty()) {
            long pause = pauses.nanosUntilNext(clock.getAsLong());
            if (pause > 0) {
                throw new NoCopyException(pause);
            }
            try {
                copy = Optional.of(made());
            } finally {
                pauses.made(clock.getAsLong());
            }
            followOrLetGo();
        }
        return copy.orElseThrow(() -> new NoCopyException(pauses.nanosUntilNext(clock.getAsLong())))
                .questions();
    }

    private void followOrLetGo() {
        copy.ifPresent(Following::catchUp);
        if (copy.filter(following -> following.news().isBroken()).isPresent()) {
            letGo();
        }
    }

    private Following made() {
        long begin = clock.getAsLong();
        Snapshot snapshot = snapshot();
        ClusterQuestions questions = empty.apply((pod, fault) -> failed.partly(pod.key(), fault));
        questions.tell(snapshot.objects());
        log.atInfo()
                .setMessage("Cluster copied for questions about pods")
                .addKeyValue("objects", snapshot.objects().size())
                .addKeyValue("milliseconds", TimeUnit.NANOSECONDS.toMillis(clock.getAsLong() - begin))
                .log();
        return new Following(questions, snapshot.news(), follower);
    }

    private Snapshot snapshot() {
        try {
            return original.ask(scheduler -> new Snapshot(scheduler.known(), feed.begin()))
                    .join();
        } catch (CompletionException | CancellationException noAnswer) {
            throw new EngineUnavailableException(noAnswer);
        }
    }

    /**
     * How long to wait before the cluster is copied again, so that the engine is not asked for all of its objects over and over
     * where something breaks each copy at once. The pauses grow with each copy, and start short again after a calm while.
     */
    private static final class CopyPauses {
        private static final long FIRST = Duration.ofSeconds(1).toNanos();
        private static final long LONGEST = Duration.ofMinutes(1).toNanos();
        private static final long CALM = Duration.ofMinutes(5).toNanos();

        private long pause;
        private long lastMade;

        /** How long it is until another may be made; 0 where it may be now. */
        long nanosUntilNext(long now) {
            return Math.max(0, pause - (now - lastMade));
        }

        /** One has been made, or it was tried in vain. */
        void made(long now) {
            boolean isCalm = pause == 0 || now - lastMade >= CALM;
            pause = isCalm ? FIRST : Math.min(2 * pause, LONGEST);
            lastMade = now;
        }
    }

    /**
     * The log of faults, of a plugin or of Evenkeel, by which an answer failed or lacks a part. The log has each fault once with its
     * stack trace, and then once a minute with a count: users may repeat their questions at will.
     */
    static final class FailedQuestions {
        private static final Logger log = LoggerFactory.getLogger(FailedQuestions.class);
        private static final long BETWEEN_LINES = Duration.ofMinutes(1).toNanos();
        private static final int MOST_KNOWN = 100;

        private final LongSupplier clock;
        private final Map<List<StackTraceElement>, Told> known = new HashMap<>();

        private record Told(long when, int since) {}

        FailedQuestions(LongSupplier clock) {
            this.clock = clock;
        }

        void failed(String pod, Throwable fault) {
            tell(log.atError().setMessage("Question about a pod failed"), pod, fault);
        }

        /** The answer goes on without what the plugin would have said. */
        void partly(String pod, Throwable fault) {
            tell(log.atError().setMessage("A plugin failed as a question was answered"), pod, fault);
        }

        private void tell(LoggingEventBuilder line, String pod, Throwable fault) {
            List<StackTraceElement> place = List.of(fault.getStackTrace());
            long now = clock.getAsLong();
            Optional<Told> before = Optional.ofNullable(known.get(place));
            if (before.filter(told -> now - told.when() < BETWEEN_LINES).isPresent()) {
                known.put(place, new Told(before.get().when(), before.get().since() + 1));
                return;
            }
            if (known.size() >= MOST_KNOWN) {
                known.clear();
            }
            known.put(place, new Told(now, 0));
            LoggingEventBuilder ofPod = line.addKeyValue("pod", pod);
            if (before.isEmpty()) {
                ofPod.setCause(fault).log();
            } else {
                ofPod.addKeyValue("why", fault)
                        .addKeyValue("times", before.get().since() + 1)
                        .log();
            }
        }

        /**
         * Whether what is counted of the cluster may be wrong after that: an index was told of a change and others were not, or
         * the memory was over in the midst of one. What a plugin throws where it is only asked leaves it as it was.
         */
        static boolean breaksCopy(Throwable fault) {
            return fault instanceof BrokenIndex
                    || (fault instanceof VirtualMachineError && !(fault instanceof StackOverflowError))
                    || Arrays.stream(fault.getSuppressed()).anyMatch(FailedQuestions::breaksCopy)
                    || Optional.ofNullable(fault.getCause())
                            .filter(FailedQuestions::breaksCopy)
                            .isPresent();
        }
    }
}
