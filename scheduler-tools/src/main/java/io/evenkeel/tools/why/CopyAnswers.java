package io.evenkeel.tools.why;

import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.ErrorStatus;
import io.evenkeel.kube.api.NoAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Answers of HTTP from a copy of the cluster: what keeps a question from its answer is said as a {@code Status}.
 *
 * @param synced whether the cluster is known
 */
public record CopyAnswers(ClusterCopy copy, BooleanSupplier synced, QuestionDeadline patience) {

    CopyAnswers(ClusterCopy copy, BooleanSupplier synced) {
        this(copy, synced, QuestionDeadline.OF_A_CLIENT);
    }

    /** How an answer is found, which may fail in known ways. */
    @FunctionalInterface
    public interface Finding {
        Answer find()
                throws BadQuestionException, QuestionTimedOutException, TooManyQuestionsException, ExecutionException,
                        IOException;
    }

    /** The answer, or why there is none. */
    public static Answer guarded(Finding finding) {
        try {
            return finding.find();
        } catch (BadQuestionException bad) {
            return ErrorStatus.badRequest(String.valueOf(bad.getMessage()));
        } catch (ExecutionException _) {
            return ErrorStatus.internal("the question failed by a bug; the scheduler's log says which");
        } catch (TooManyQuestionsException _) {
            return ErrorStatus.tooMany();
        } catch (NoCopyException notYet) {
            return ErrorStatus.unavailable(String.valueOf(notYet.getMessage()), notYet.seconds());
        } catch (EngineUnavailableException silent) {
            return ErrorStatus.unavailable(String.valueOf(silent.getMessage()));
        } catch (CancellationException | CancelledQuestionException _) {
            return ErrorStatus.unavailable("the client does not wait for the answer any more");
        } catch (QuestionTimedOutException late) {
            return ErrorStatus.timedOut(String.valueOf(late.getMessage()));
        } catch (IOException noAnswer) {
            return ErrorStatus.unavailable(
                    "the API server does not say whether there is such a pod: " + NoAnswer.why(noAnswer));
        }
    }

    /** @throws EngineUnavailableException while the cluster is not known */
    public void requireSynced() {
        if (!synced.getAsBoolean()) {
            throw new EngineUnavailableException("the cluster is not known yet: caches are not synced");
        }
    }

    /**
     * Asks, and waits for the answer.
     *
     * @param about for the log
     */
    public <T> T ask(Requester asker, String about, ClusterCopy.Question<T> question)
            throws QuestionTimedOutException, TooManyQuestionsException, ExecutionException {
        try {
            return patience.await(copy.ask(asker, about, question));
        } catch (ExecutionException failed) {
            switch (Optional.<Throwable>ofNullable(failed.getCause()).orElse(failed)) {
                case CancelledQuestionException unwanted -> throw unwanted;
                case NoCopyException notYet -> throw notYet;
                case EngineUnavailableException silent -> throw silent;
                case TooManyQuestionsException tooMany -> throw tooMany;
                default -> throw failed;
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            throw new EngineUnavailableException(closing);
        }
    }

    /**
     * How long somebody waits for an answer: for so long until it is the question's turn, and from then on for so long again, so
     * that no question has less time for the ones that came before it. An asker that has waited for too long gives up.
     *
     * @param waiting how this thread waits
     */
    public record QuestionDeadline(Waiting waiting) {
        private static final Duration FOR_THE_TURN = Duration.ofSeconds(15);
        private static final Duration FOR_THE_ANSWER = Duration.ofSeconds(10);

        /** Waits until something is done, or for so long; handed in, so that tests need not. */
        @FunctionalInterface
        public interface Waiting {
            void until(Future<?> done, Duration longest)
                    throws InterruptedException, ExecutionException, TimeoutException;
        }

        static final QuestionDeadline OF_A_CLIENT =
                new QuestionDeadline((done, longest) -> done.get(longest.toNanos(), TimeUnit.NANOSECONDS));

        /** @throws QuestionTimedOutException where it takes too long */
        <T> T await(PendingAnswer<T> answer)
                throws ExecutionException, InterruptedException, QuestionTimedOutException {
            try {
                await(
                        answer.turn(),
                        FOR_THE_TURN,
                        "it was not the question's turn within %d seconds, as others wait too");
                await(answer, FOR_THE_ANSWER, "no answer within %d seconds");
                return answer.get();
            } finally {
                answer.cancel(false);
            }
        }

        private void await(Future<?> done, Duration longest, String late)
                throws ExecutionException, InterruptedException, QuestionTimedOutException {
            try {
                waiting.until(done, longest);
            } catch (TimeoutException _) {
                throw new QuestionTimedOutException(late.formatted(longest.toSeconds()));
            }
        }
    }

    /** The asker has waited for too long. The message is one line for them. */
    public static final class QuestionTimedOutException extends Exception {
        private static final long serialVersionUID = 1L;

        public QuestionTimedOutException(String message) {
            super(message);
        }
    }
}
