package io.evenkeel.queue;

import io.evenkeel.queue.QueueSettings.HintLimits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is still to be asked about pods that are filed. A turn asks only so many hints, and of one namespace's pods fewer
 * ({@link HintLimits}); what is left waits for the next turn, each namespace's in the order in which the changes came, the
 * namespaces in turn. So many pods of one tenant, whatever they wait for, hold nobody else up: they wait for themselves.
 *
 * <pre>
 *   of a namespace's pods 128 a turn
 *
 *   change   may help                   asked    left
 *   A        300 of big, 2 of small     128, 2   A: 172
 *   B        300 of big, 2 of small     0, 2     A: 172, B: 300
 *   the next turn                       128      A: 44, B: 300
 * </pre>
 *
 * <p>Where changes come faster than they can be asked about, only so many of a namespace are kept: the eldest is asked to
 * its end at once.
 */
final class HintBacklog {
    private final HintLimits limits;
    private final LinkedHashMap<String, Deque<Inquiry>> byNamespace = new LinkedHashMap<>();
    private final Map<String, Integer> askedByNamespace = new HashMap<>();
    private int asked;

    HintBacklog(HintLimits limits) {
        this.limits = limits;
    }

    /** Whether a pod may be helped by a change. */
    record Question(Inquiry inquiry, QueueEntry entry) {}

    boolean isEmpty() {
        return byNamespace.isEmpty();
    }

    /** A change has come: what of it is to be asked now. */
    void add(Inquiry inquiry, List<Question> now) {
        Deque<Inquiry> waiting = byNamespace.get(inquiry.namespace);
        if (waiting == null) {
            if (isDone(inquiry, now)) {
                return;
            }
            waiting = new ArrayDeque<>();
            byNamespace.put(inquiry.namespace, waiting);
        }
        waiting.add(inquiry);
        if (waiting.size() > limits.changes()) {
            Inquiry eldest = waiting.remove();
            for (var entry = eldest.next(); entry.isPresent(); entry = eldest.next()) {
                now.add(new Question(eldest, entry.get()));
            }
        }
    }

    /** A turn begins: what of all that is left is to be asked in it. */
    List<Question> nextTurn() {
        asked = 0;
        askedByNamespace.clear();
        List<Question> now = new ArrayList<>();
        for (int namespaces = byNamespace.size(); namespaces > 0 && asked < limits.aTurn(); namespaces--) {
            Map.Entry<String, Deque<Inquiry>> first = byNamespace.pollFirstEntry();
            Deque<Inquiry> waiting = first.getValue();
            while (!waiting.isEmpty() && isDone(waiting.element(), now)) {
                waiting.remove();
            }
            if (!waiting.isEmpty()) {
                byNamespace.put(first.getKey(), waiting);
            }
        }
        return now;
    }

    /** All that is left about one pod, which is to be asked before it changes. */
    List<Question> about(QueueEntry entry) {
        return byNamespace.getOrDefault(entry.pod().namespace(), new ArrayDeque<>()).stream()
                .filter(inquiry -> inquiry.awaits(entry))
                .map(inquiry -> new Question(inquiry, entry))
                .toList();
    }

    /** Asks as much as the turn allows. */
    private boolean isDone(Inquiry inquiry, List<Question> now) {
        int ofNamespace = askedByNamespace.getOrDefault(inquiry.namespace, 0);
        while (asked < limits.aTurn() && ofNamespace < limits.aNamespace()) {
            var entry = inquiry.next();
            if (entry.isEmpty()) {
                return true;
            }
            now.add(new Question(inquiry, entry.get()));
            asked++;
            ofNamespace++;
            askedByNamespace.put(inquiry.namespace, ofNamespace);
        }
        return false;
    }
}
