package io.evenkeel.queue;

import io.evenkeel.queue.PodsByInterest.Alike;
import io.evenkeel.queue.PodsByInterest.Inquiry;
import io.evenkeel.queue.QueueSettings.HintLimits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The hints still to be asked about pods that are filed. A turn asks only so many hints, and of one namespace's pods fewer
 * ({@link HintLimits}); what is left waits for the next turn, each namespace's in the order in which the changes came, the
 * namespaces in turn. So many pods of one tenant, whatever they wait for, hold nobody else up: they wait for themselves.
 * Pods that are alike count as one, about which the hint is asked.
 *
 * <pre>
 *   of a namespace's pods 128 a turn, none of them alike
 *
 *   change   may help                   asked    left
 *   A        300 of big, 2 of small     128, 2   A: 172
 *   B        300 of big, 2 of small     0, 2     A: 172, B: 300
 *   the next turn                       128      A: 44, B: 300
 * </pre>
 *
 * <p>Nor may the hints of a turn take more work than so much: of those that look at many nodes or rules it asks fewer.
 *
 * <p>Where changes come faster than they can be asked about, only so many of a namespace are kept: the eldest is asked to
 * its end at once. What would take more work than a turn allows is not asked: those pods are tried again.
 *
 * <p>About the pods of a namespace that gives way to others ({@link FairTurns}) one hint a turn is asked, and where changes
 * come faster, those of the eldest are tried again without being asked about: they wait behind others then.
 */
final class PendingHints {
    private final HintLimits limits;
    private final FairTurns turns;
    private final LinkedHashMap<String, Deque<Inquiry>> byNamespace = new LinkedHashMap<>();
    private final Map<String, Asked> askedByNamespace = new HashMap<>();
    private Asked asked;

    /** The hints asked in this turn, and how many may be. */
    private static final class Asked {
        private final int mostHints;
        private final long mostUnits;
        private int hints;
        private long units;

        Asked(int mostHints, long mostUnits) {
            this.mostHints = mostHints;
            this.mostUnits = mostUnits;
        }

        void add(long more) {
            hints++;
            units += more;
        }

        boolean isOver() {
            return hints >= mostHints || isTooMuch();
        }

        /** Whether it took as much work as it may, however few hints there were. */
        boolean isTooMuch() {
            return units >= mostUnits;
        }
    }

    PendingHints(HintLimits limits, FairTurns turns) {
        this.turns = turns;
        this.limits = limits;
        this.asked = new Asked(limits.aTurn(), turns.hintsOfATurn());
    }

    /**
     * Whether pods that are alike may be helped by a change.
     *
     * @param isUnasked whether they may, without being asked about
     */
    record Question(Inquiry inquiry, Alike pods, boolean isUnasked) {}

    boolean isEmpty() {
        return byNamespace.isEmpty();
    }

    /** A change has come: asks what of it is to be asked now. */
    void add(Inquiry inquiry, Consumer<Question> hints) {
        Deque<Inquiry> waiting = byNamespace.get(inquiry.namespace);
        if (waiting == null) {
            if (isDone(inquiry, hints)) {
                return;
            }
            waiting = new ArrayDeque<>();
            byNamespace.put(inquiry.namespace, waiting);
        }
        waiting.add(inquiry);
        if (waiting.size() > limits.changes()) {
            Inquiry eldest = waiting.remove();
            Asked ofNamespace = askedOf(inquiry.namespace);
            boolean givesWay = turns.givesWay(inquiry.namespace);
            for (var pods = eldest.next(); pods.isPresent(); pods = eldest.next()) {
                boolean isUnasked = givesWay || asked.isTooMuch() || ofNamespace.isTooMuch();
                ask(new Question(eldest, pods.get(), isUnasked), hints, ofNamespace);
            }
        }
    }

    /** A turn begins: asks what of all that is left is to be asked in it. */
    void nextTurn(Consumer<Question> hints) {
        asked = new Asked(limits.aTurn(), turns.hintsOfATurn());
        askedByNamespace.clear();
        for (int namespaces = byNamespace.size(); namespaces > 0 && !asked.isOver(); namespaces--) {
            Map.Entry<String, Deque<Inquiry>> first = byNamespace.pollFirstEntry();
            Deque<Inquiry> waiting = first.getValue();
            while (!waiting.isEmpty() && isDone(waiting.element(), hints)) {
                waiting.remove();
            }
            if (!waiting.isEmpty()) {
                byNamespace.put(first.getKey(), waiting);
            }
        }
    }

    private Asked askedOf(String namespace) {
        return askedByNamespace.computeIfAbsent(
                namespace, _ -> new Asked(limits.aNamespace(), turns.hintsOfANamespace()));
    }

    private void ask(Question question, Consumer<Question> hints, Asked ofNamespace) {
        long before = turns.units();
        hints.accept(question);
        long units = turns.units() - before;
        asked.add(units);
        ofNamespace.add(units);
    }

    /** Where a pod is still to be asked about, which is to be done before it changes. */
    List<Inquiry> about(QueueEntry entry) {
        return byNamespace.getOrDefault(entry.pod().namespace(), new ArrayDeque<>()).stream()
                .filter(inquiry -> inquiry.awaits(entry))
                .toList();
    }

    /** Asks as much as the turn allows. */
    private boolean isDone(Inquiry inquiry, Consumer<Question> hints) {
        Asked ofNamespace = askedOf(inquiry.namespace);
        boolean givesWay = turns.givesWay(inquiry.namespace);
        while (!asked.isOver() && !ofNamespace.isOver() && !(givesWay && ofNamespace.hints > 0)) {
            var pods = inquiry.next();
            if (pods.isEmpty()) {
                return true;
            }
            ask(new Question(inquiry, pods.get(), false), hints, ofNamespace);
        }
        return false;
    }
}
