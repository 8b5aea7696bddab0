package io.evenkeel.app.http.serve;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.evenkeel.app.http.serve.ReviewedAnswers.ReviewCall.ReviewFailedException;
import io.evenkeel.app.http.serve.ReviewedAnswers.ReviewCall.TooManyReviewsException;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.LogThrottle;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.api.TokenBucket;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.write.Tree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The API server's answers to reviews of one kind. An answer is remembered for a while; who asks the same while it is underway
 * waits for it; and what has to be asked has a limit, which does not concern what is remembered. What was answered with yes
 * has a limit of its own, so that strangers, however many, never keep known clients from a new review. Used by several threads.
 */
final class ReviewedAnswers<K, V> {
    private static final Logger log = LoggerFactory.getLogger(ReviewedAnswers.class);

    /** More than can be asked in the ten seconds of a usual answer, so that strangers displace no answer. */
    private static final int REMEMBERED = 4_096;

    /** Who is known as no stranger, and how much of each: more than read one scheduler. */
    private static final int REGULARS = 1_024;

    private static final int QUESTIONS_OF_A_REGULAR = 16;

    @FunctionalInterface
    interface Review<V> {
        V ask() throws ReviewFailedException;
    }

    private final ExpiringCache<K, V> known;
    private final BiFunction<K, V, Duration> lifetime;
    private final Function<K, Object> asker;
    private final Predicate<V> isYes;
    private final ReviewBudget ofStrangers;
    private final ReviewBudget ofRegulars;
    private final Map<Object, Set<K>> regulars = new LinkedHashMap<>(16, 0.75f, true);
    private final String what;
    private final AtomicBoolean failing = new AtomicBoolean();
    private final Map<K, CompletableFuture<V>> underway = new ConcurrentHashMap<>();

    /** @param asker names the asker of a question: of each only a few are known as answered with yes */
    ReviewedAnswers(
            String what,
            BiFunction<K, V, Duration> lifetime,
            Function<K, Object> asker,
            Predicate<V> isYes,
            InstantSource clock,
            LongSupplier nanos) {
        this.what = what;
        this.known = new ExpiringCache<>(REMEMBERED, clock);
        this.lifetime = lifetime;
        this.asker = asker;
        this.isYes = isYes;
        this.ofStrangers = new ReviewBudget(what, nanos);
        this.ofRegulars = new ReviewBudget(what, nanos);
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
        (isRegular(question) ? ofRegulars : ofStrangers).take();
        V answer;
        try {
            answer = review.ask();
        } catch (ReviewFailedException e) {
            report(e);
            throw e;
        }
        failing.set(false);
        Duration remembered = lifetime.apply(question, answer);
        if (remembered.isPositive()) {
            known.put(question, answer, remembered);
        }
        note(question, remembered.isPositive() && isYes.test(answer));
        return answer;
    }

    /**
     * Tells that reviews fail: a warning for the first, and debug lines until the API server has answered one. What is
     * remembered of earlier answers, and what needs no review, is no such answer.
     */
    private void report(ReviewFailedException failure) {
        Level level = NoAnswer.level(failure);
        log.atLevel(level == Level.WARN && failing.getAndSet(true) ? Level.DEBUG : level)
                .setMessage("Cannot review")
                .addKeyValue("review", what)
                .addKeyValue("why", failure.getMessage())
                .log();
    }

    private boolean isRegular(K question) {
        synchronized (regulars) {
            return regulars.getOrDefault(asker.apply(question), Set.of()).contains(question);
        }
    }

    /** Of the askers those are kept who came last, and of each the questions that it asked last. */
    private void note(K question, boolean yes) {
        synchronized (regulars) {
            Set<K> its = regulars.computeIfAbsent(asker.apply(question), _ -> new LinkedHashSet<>());
            its.remove(question);
            if (yes) {
                its.add(question);
            }
            if (its.size() > QUESTIONS_OF_A_REGULAR) {
                its.remove(its.iterator().next());
            }
            if (its.isEmpty()) {
                regulars.remove(asker.apply(question));
            }
            if (regulars.size() > REGULARS) {
                regulars.remove(regulars.keySet().iterator().next());
            }
        }
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

    /** Remembers answers for a while; when it is full, the oldest goes. */
    static final class ExpiringCache<K, V> {
        private record Entry<V>(V value, Instant until) {}

        private final int capacity;
        private final InstantSource clock;
        private final Map<K, Entry<V>> entries = new LinkedHashMap<>();

        ExpiringCache(int capacity, InstantSource clock) {
            this.capacity = capacity;
            this.clock = clock;
        }

        synchronized Optional<V> get(K key) {
            Entry<V> entry = entries.get(key);
            if (entry == null) {
                return Optional.empty();
            }
            if (!clock.instant().isBefore(entry.until)) {
                entries.remove(key);
                return Optional.empty();
            }
            return Optional.of(entry.value);
        }

        synchronized void put(K key, V value, Duration lifetime) {
            entries.remove(key);
            if (entries.size() >= capacity) {
                Iterator<K> oldest = entries.keySet().iterator();
                oldest.next();
                oldest.remove();
            }
            entries.put(key, new Entry<>(value, clock.instant().plus(lifetime)));
        }

        synchronized int size() {
            return entries.size();
        }
    }

    /**
     * How many reviews of one kind may be asked of the API server: as many as kube-scheduler's clients for them may. Each of these
     * waits for its turn, with its connection; here who comes too late is told to come again, so that a flood holds nothing.
     */
    static final class ReviewBudget {
        private static final Logger log = LoggerFactory.getLogger(ReviewBudget.class);
        private static final float A_SECOND = 200;
        private static final int AT_ONCE = 400;

        private final String what;
        private final LongSupplier nanos;
        private final TokenBucket bucket;
        private final LogThrottle refusals;

        ReviewBudget(String what, LongSupplier nanos) {
            this.what = what;
            this.nanos = nanos;
            this.bucket = new TokenBucket(A_SECOND, AT_ONCE, nanos.getAsLong());
            this.refusals = new LogThrottle(Duration.ofMinutes(1), nanos);
        }

        /** @throws TooManyReviewsException if this one cannot be asked now */
        void take() throws TooManyReviewsException {
            synchronized (bucket) {
                long now = nanos.getAsLong();
                if (bucket.nanosUntilToken(now) == 0) {
                    bucket.take(now);
                    return;
                }
            }
            refusals.count(times -> log.atWarn()
                    .setMessage("Too many clients to review, refusing some")
                    .addKeyValue("review", what)
                    .addKeyValue("refused", times)
                    .log());
            throw new TooManyReviewsException("more than " + (int) A_SECOND + " reviews of " + what + " a second");
        }
    }

    /** Posts a review to the API server and reads its status. */
    static final class ReviewCall {
        private static final int LONGEST_ANSWER = 1 << 20;

        private ReviewCall() {}

        /** The object {@code status} of the answer. */
        static JsonObject status(ApiTransport server, String path, Tree review) throws ReviewFailedException {
            ApiCall call = ApiCall.send("POST", path, "application/json", review.json());
            try (ApiAnswer answer = server.call(call)) {
                byte[] content = answer.body().readNBytes(LONGEST_ANSWER);
                if (answer.code() < 200 || answer.code() > 299) {
                    throw new ReviewFailedException("POST " + path + " was answered with " + answer.code() + ": "
                            + new String(content, StandardCharsets.UTF_8));
                }
                if (Trees.strict(new String(content, StandardCharsets.UTF_8)) instanceof JsonObject answered
                        && answered.get("status") instanceof JsonObject status) {
                    return status;
                }
                throw new ReviewFailedException("POST " + path + " was answered without a status");
            } catch (IOException e) {
                throw new ReviewFailedException("POST " + path + ": " + NoAnswer.why(e), e);
            } catch (JsonParseException malformed) {
                throw new ReviewFailedException("POST " + path + ": " + malformed.getMessage(), malformed);
            }
        }

        static String text(JsonObject object, String field) {
            return object.get(field) instanceof JsonPrimitive value && value.isString() ? value.getAsString() : "";
        }

        static boolean truth(JsonObject object, String field) {
            return object.get(field) instanceof JsonPrimitive value && value.isBoolean() && value.getAsBoolean();
        }

        static List<String> texts(@Nullable JsonElement value) {
            return value instanceof JsonArray list
                    ? list.asList().stream()
                            .map(each -> each instanceof JsonPrimitive text ? text.getAsString() : each.toString())
                            .toList()
                    : List.of();
        }

        static JsonObject object(JsonObject parent, String field) {
            return parent.get(field) instanceof JsonObject object ? object : new JsonObject();
        }

        /** The API server was not asked, as it is asked so much already. */
        static final class TooManyReviewsException extends ReviewFailedException {
            private static final long serialVersionUID = 1L;

            TooManyReviewsException(String message) {
                super(message);
            }
        }

        /** The API server could not be asked, or gave no answer to the question. */
        static class ReviewFailedException extends Exception {
            private static final long serialVersionUID = 1L;

            ReviewFailedException(String message) {
                super(message);
            }

            ReviewFailedException(String message, Throwable cause) {
                super(message, cause);
            }
        }
    }
}
