package io.evenkeel.tools.page;

import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.Reply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers that are the same for all who ask: each is made once for all that have asked since the last began to be made, and again only
 * where something has changed. So a hundred pages cost what one does.
 */
final class SharedAnswers {
    private static final int MOST_KEPT = 32;

    /** Where no news comes because no copy is there, nothing else says that an answer is old. */
    private static final long KEPT = Duration.ofSeconds(2).toNanos();

    /** An answer that takes long to make is made less often: at most a fifth of the copy's time goes to it. */
    private static final int PAUSES = 4;

    private static final long SHORTEST_PAUSE = Duration.ofMillis(250).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofSeconds(5).toNanos();

    private final LongSupplier clock;
    private final LongConsumer pausing;
    private final Map<String, Line> lines = new LinkedHashMap<>(MOST_KEPT, 0.75f, true);

    /** @param pausing waits for so many nanoseconds, if that is more than none */
    SharedAnswers(LongSupplier clock, LongConsumer pausing) {
        this.clock = clock;
        this.pausing = pausing;
    }

    private record Made(Reply reply, long version, long at) {}

    /** One question, and those who ask it. */
    private static final class Line {
        private final ReentrantLock turn = new ReentrantLock();
        private Optional<Made> last = Optional.empty();
        private Optional<CompletableFuture<Answer>> next = Optional.empty();
        private long notBefore;

        Line(long now) {
            notBefore = now;
        }
    }

    /**
     * The answer, which was begun after this was called, or is of the same version as another would be.
     *
     * @param version grows with what the answer is made of
     */
    Answer answer(String question, LongSupplier version, Supplier<Answer> making) {
        Line line = line(question);
        CompletableFuture<Answer> answer;
        boolean isToMake;
        synchronized (line) {
            long now = clock.getAsLong();
            Optional<Made> fresh =
                    line.last.filter(made -> made.version() == version.getAsLong() && now - made.at() < KEPT);
            if (fresh.isPresent()) {
                return fresh.get().reply();
            }
            isToMake = line.next.isEmpty();
            answer = line.next.orElseGet(CompletableFuture::new);
            line.next = Optional.of(answer);
        }
        if (isToMake) {
            make(line, version, making, answer);
        }
        return answer.join();
    }

    private void make(Line line, LongSupplier version, Supplier<Answer> making, CompletableFuture<Answer> answer) {
        line.turn.lock();
        try {
            pausing.accept(line.notBefore - clock.getAsLong());
            synchronized (line) {
                line.next = Optional.empty();
            }
            long of = version.getAsLong();
            long began = clock.getAsLong();
            Answer made = making.get();
            long ended = clock.getAsLong();
            line.notBefore = ended + Math.clamp(PAUSES * (ended - began), SHORTEST_PAUSE, LONGEST_PAUSE);
            if (made instanceof Reply reply && reply.code() == 200) {
                synchronized (line) {
                    line.last = Optional.of(new Made(reply, of, began));
                }
            }
            answer.complete(made);
        } catch (RuntimeException | Error fault) {
            answer.completeExceptionally(fault);
        } finally {
            line.turn.unlock();
        }
    }

    private synchronized Line line(String question) {
        Line line = lines.computeIfAbsent(question, _ -> new Line(clock.getAsLong()));
        if (lines.size() > MOST_KEPT) {
            lines.remove(lines.keySet().iterator().next());
        }
        return line;
    }
}
