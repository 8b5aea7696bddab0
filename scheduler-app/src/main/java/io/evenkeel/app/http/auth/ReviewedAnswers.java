package io.evenkeel.app.http.auth;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * The API server's answers to reviews of one kind. An answer is remembered for a while; who asks the same while it is underway
 * waits for it; and what has to be asked has a limit, which does not concern what is remembered. Used by several threads.
 */
final class ReviewedAnswers<K, V> {
    /** More than can be asked in the ten seconds of a usual answer, so that strangers displace nobody. */
    private static final int REMEMBERED = 4_096;

    /** A review of one question. */
    @FunctionalInterface
    interface Review<V> {
        V ask() throws ReviewFailedException;
    }

    private final ExpiringCache<K, V> known;
    private final BiFunction<K, V, Duration> lifetime;
    private final ReviewBudget budget;
    private final ReviewWarnings warnings;
    private final Map<K, CompletableFuture<V>> underway = new ConcurrentHashMap<>();

    /**
     * Answers to what has not been asked yet.
     *
     * @param what is reviewed: {@code a token}, {@code access}
     * @param lifetime how long an answer is remembered
     */
    ReviewedAnswers(String what, BiFunction<K, V, Duration> lifetime, InstantSource clock, LongSupplier nanos) {
        this.warnings = new ReviewWarnings(what);
        this.known = new ExpiringCache<>(REMEMBERED, clock);
        this.lifetime = lifetime;
        this.budget = new ReviewBudget(what, nanos);
    }

    /** The answer to the question, by a review where it is not known. */
    V to(K question, Review<V> review) throws ReviewFailedException {
        Optional<V> remembered = known.get(question);
        if (remembered.isPresent()) {
            return remembered.get();
        }
        CompletableFuture<V> own = new CompletableFuture<>();
        CompletableFuture<V> others = underway.putIfAbsent(question, own);
        if (others != null) {
            return awaited(others);
        }
        try {
            V answer = asked(question, review);
            own.complete(answer);
            return answer;
        } catch (ReviewFailedException | RuntimeException | Error failed) {
            own.completeExceptionally(failed);
            throw failed;
        } finally {
            underway.remove(question, own);
        }
    }

    private V asked(K question, Review<V> review) throws ReviewFailedException {
        // It may have been answered between the look and the turn.
        Optional<V> meanwhile = known.get(question);
        if (meanwhile.isPresent()) {
            return meanwhile.get();
        }
        budget.take();
        V answer;
        try {
            answer = review.ask();
        } catch (ReviewFailedException e) {
            warnings.report(e);
            throw e;
        }
        warnings.answered();
        Duration remembered = lifetime.apply(question, answer);
        if (remembered.isPositive()) {
            known.put(question, answer, remembered);
        }
        return answer;
    }

    private static <V> V awaited(CompletableFuture<V> answer) throws ReviewFailedException {
        try {
            return answer.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof ReviewFailedException same) {
                throw same;
            }
            throw new ReviewFailedException("the review failed", failed);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            throw new ReviewFailedException("the server is closed", end);
        }
    }
}
