package io.evenkeel.tools.why;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Questions that wait, in a line for each who asks. They take turns, one question each, so that who asks a thousand things is
 * no more in another's way than who asks one. Where all the room is taken, the last of the longest line makes room for who has
 * fewer there.
 *
 * <pre>
 *   ann  a1 a2 a3 ┐
 *   bob  b1       ├▶ a1 b1 c1 a2 c2 a3
 *   cid  c1 c2    ┘
 * </pre>
 *
 * @param <Q> a question
 */
final class FairQueue<Q> {
    private final int mostOfOne;
    private final int mostOfAll;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition come = lock.newCondition();
    /** In the order in which they have their turns; none that is empty. */
    private final Map<String, Deque<Q>> lines = new LinkedHashMap<>();

    private int waiting;

    FairQueue(int mostOfOne, int mostOfAll) {
        this.mostOfOne = mostOfOne;
        this.mostOfAll = mostOfAll;
    }

    /** Takes a question in; what is turned away for that, be it itself, is returned. */
    Optional<Q> join(String asker, Q question) {
        lock.lock();
        try {
            int before = lengthOf(asker);
            if (before >= mostOfOne) {
                return Optional.of(question);
            }
            Optional<Q> crowdedOut = Optional.empty();
            if (waiting >= mostOfAll) {
                Deque<Q> longest = longest();
                if (longest.size() <= before + 1) {
                    return Optional.of(question);
                }
                crowdedOut = Optional.of(longest.removeLast());
                waiting--;
            }
            lines.computeIfAbsent(asker, _ -> new ArrayDeque<>()).add(question);
            waiting++;
            come.signal();
            return crowdedOut;
        } finally {
            lock.unlock();
        }
    }

    private int lengthOf(String asker) {
        return Optional.ofNullable(lines.get(asker)).map(Deque::size).orElse(0);
    }

    private Deque<Q> longest() {
        return lines.values().stream().max(Comparator.comparingInt(Deque::size)).orElseThrow();
    }

    /** Returns the question with its turn now; empty where none comes for so long. */
    Optional<Q> next(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (waiting == 0) {
                if (left <= 0) {
                    return Optional.empty();
                }
                left = come.awaitNanos(left);
            }
            Map.Entry<String, Deque<Q>> first = lines.entrySet().iterator().next();
            String asker = first.getKey();
            Deque<Q> line = first.getValue();
            lines.remove(asker);
            Q question = line.remove();
            waiting--;
            if (!line.isEmpty()) {
                lines.put(asker, line);
            }
            return Optional.of(question);
        } finally {
            lock.unlock();
        }
    }

    /** Frees the room of a question that is no longer waited for. */
    void leave(String asker, Q question) {
        lock.lock();
        try {
            Optional.ofNullable(lines.get(asker)).ifPresent(line -> {
                if (line.remove(question)) {
                    waiting--;
                }
                if (line.isEmpty()) {
                    lines.remove(asker);
                }
            });
        } finally {
            lock.unlock();
        }
    }
}
