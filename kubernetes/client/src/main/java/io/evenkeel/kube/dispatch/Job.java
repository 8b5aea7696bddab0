package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.ApiTransport.ResponseHandler;
import io.evenkeel.kube.api.EventSink.Regarding;
import io.evenkeel.kube.dispatch.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Something to do at the server, and how far it has come. Guarded by the dispatcher's lock. */
public final class Job {
    /** The work to be done. */
    public sealed interface Work permits OnPod, EventTask {
        /** Jobs with the same key are done one after the other. */
        String key();

        CommandKind kind();
    }

    public record OnPod(Command.AtServer command) implements Work {
        @Override
        public String key() {
            Pod pod = command.pod();
            return pod.meta().uid().isEmpty() ? pod.key() : pod.meta().uid();
        }

        @Override
        public CommandKind kind() {
            return CommandKind.of(command);
        }
    }

    /** The next step of the work. */
    public enum Step {
        /** Let the PreBind plugins work, which takes none of the server's budget and may take long. */
        PREPARE,
        CALL
    }

    private Work work;
    private Step step;
    private int attempts;
    private long notBefore;
    private long heldBack;

    Job(Work work, long now) {
        this.work = work;
        step = work.kind() == CommandKind.BIND ? Step.PREPARE : Step.CALL;
        notBefore = now;
    }

    public Work work() {
        return work;
    }

    /** Says something else, of the same kind, when it is its turn. */
    void becomes(Work other) {
        work = other;
    }

    public CommandKind kind() {
        return work.kind();
    }

    public Step step() {
        return step;
    }

    /** Whether the two wait for the same thing, one behind the other. */
    boolean waitsWith(Job other) {
        return step == other.step && kind() == other.kind();
    }

    /** How often it has been tried before. */
    public int attempts() {
        return attempts;
    }

    /** The time in the dispatcher's nanoseconds. */
    long notBefore() {
        return notBefore;
    }

    void startsAfter(long nanos) {
        heldBack = nanos;
    }

    /** How long it was ready, in nanoseconds, before it was its turn to start. */
    public long heldBack() {
        return heldBack;
    }

    void prepared() {
        step = Step.CALL;
    }

    void restsUntil(long when) {
        notBefore = when;
    }

    void tryAgain(long when) {
        attempts++;
        notBefore = when;
    }

    /** The outcome of a job's step. */
    public sealed interface Outcome {

        /** The command has been carried out as far as it ever will be. */
        record Done(CommandResult result) implements Outcome {}

        /** The pod is bound; PostBind is still to run. */
        record Bound(CommandResult.Bound result, Runnable postBind) implements Outcome {}

        /** A command that has no answer has been carried out. */
        record Silent() implements Outcome {}

        /** The event repeats one that was written lately: it is counted in that one's series, and not written yet. */
        record Folded() implements Outcome {}

        /** The plugins are done; the call is next. */
        record Prepared() implements Outcome {}

        /** To be tried again, after a while that the server may have named. */
        record TryAgain(Optional<Duration> retryAfter, String message) implements Outcome {}

        /** Not while the lease is not held beyond doubt: kept until it is again, or until all ends. */
        record Held() implements Outcome {}

        /** A command that has no answer was not carried out. */
        record Dropped(DispatcherObserver.Drop why, String message) implements Outcome {}
    }

    /** Limits of retries: how often a call is made again, and after how long. */
    static final class Retries {
        static final int MOST_ATTEMPTS = 5;

        /** As many as kube-scheduler tries, and with its pauses: the pod keeps its place meanwhile. */
        static final int MOST_BINDINGS = 4;

        private static final Duration FIRST_BINDING = Duration.ofMillis(10);
        private static final int TIMES_A_BINDING = 5;

        /** Until it is looked again whether the lease is held. */
        static final Duration HELD = Duration.ofSeconds(1);

        private static final Duration FIRST = Duration.ofMillis(250);
        private static final Duration LONGEST = Duration.ofSeconds(60);

        private Retries() {}

        /** For a write that the engine needs no answer to. */
        static Outcome again(int attempts, Optional<Duration> retryAfter, String message) {
            return attempts + 1 < MOST_ATTEMPTS
                    ? new Outcome.TryAgain(retryAfter, message)
                    : new Outcome.Dropped(Drop.EXHAUSTED, message);
        }

        /** After so many before the one that failed. */
        static Duration untilNextBinding(int attempts) {
            return FIRST_BINDING.multipliedBy((long) Math.pow(TIMES_A_BINDING, attempts));
        }

        /** The delay that the server asks for, or one that doubles, and up to a quarter more so that not all come back at once. */
        static long delayNanos(int attempts, Optional<Duration> retryAfter, RandomGenerator random) {
            Duration wait = retryAfter.orElseGet(() -> FIRST.multipliedBy(1L << Math.min(attempts, 10)));
            long nanos = (wait.compareTo(LONGEST) < 0 ? wait : LONGEST).toNanos();
            return nanos + (long) (nanos * 0.25 * random.nextDouble());
        }
    }

    /**
     * A write that needs only the code of its answer, and what each end of it means.
     *
     * @param unanswered where no answer came, and it is unknown whether it was written
     */
    record Write(ApiCall call, Function<Answered, Outcome> answered, Function<IOException, Outcome> unanswered) {

        Outcome carryOut(ApiTransport transport) {
            Answered answer;
            try {
                answer = Answered.write(transport, call);
            } catch (IOException noAnswer) {
                return unanswered.apply(noAnswer);
            }
            return answered.apply(answer);
        }

        /**
         * Does not wait for the answer.
         *
         * @param ended is told once, by a thread that must not be held up, and works out what it means
         * @return false, and nothing is done, where it has to be waited for
         */
        boolean begin(ApiTransport transport, Consumer<Supplier<Outcome>> ended) {
            return transport.begin(call, new ResponseHandler() {
                @Override
                public void answered(Answered answer) {
                    ended.accept(() -> answered.apply(answer));
                }

                @Override
                public void unanswered(IOException why) {
                    ended.accept(() -> unanswered.apply(why));
                }
            });
        }
    }

    /** Something to be written about an object. Those about one object are written in their order. */
    sealed interface EventTask extends Job.Work {

        Regarding regarding();

        @Override
        default String key() {
            return regarding().identity();
        }

        @Override
        default CommandKind kind() {
            return CommandKind.RECORD_EVENT;
        }

        record Occurrence(Regarding regarding, ObjectEvent event, Instant time) implements EventTask {}

        /** It has not happened again for a while: the count that the server has may be behind. */
        record SeriesEnd(Regarding regarding, Series series) implements EventTask {}

        /**
         * Equal events that are one at the server.
         *
         * @param name of the first event, which stands for all
         * @param written the count that the server has
         */
        record Series(
                String namespace, String name, int count, Instant lastObserved, int written, Instant lastWritten) {

            static Series startedBy(String namespace, String name, Instant time) {
                return new Series(namespace, name, 1, time, 1, time);
            }

            Series seenAgain(Instant time) {
                return new Series(namespace, name, count + 1, time, written, lastWritten);
            }

            Series nowWritten() {
                return new Series(namespace, name, count, lastObserved, count, lastObserved);
            }

            boolean isBehind() {
                return written < count;
            }
        }
    }
}
