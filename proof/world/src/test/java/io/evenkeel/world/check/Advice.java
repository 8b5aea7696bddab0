package io.evenkeel.world.check;

import io.evenkeel.config.Extender;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * That one process heeds its extender, by what that was asked and has answered:
 *
 * <pre>
 * a pod is asked about         and it must hold that
 * some nodes are left          it goes to one of them: of those where it fits to one of the best by the extender's scores
 * the extender fails           it goes nowhere; but where the extender may be ignored, as if all had been left
 * not                          it goes nowhere
 * </pre>
 */
public final class Advice {
    /** What an extender's points are multiplied by, beside its weight. */
    private static final long POINTS = 10;

    private final Optional<Extender> extender;
    /** By the pods' UIDs, until it is known what is made of it. */
    private final Map<String, Said> said = new HashMap<>();
    /** The same, until the pod is decided. */
    private final Map<String, ExtenderAdvice> taken = new HashMap<>();

    /** What the extender was asked of a pod, and has said; it fails as long as it has said nothing. */
    private static final class Said {
        private Optional<Set<String>> asked = Optional.empty();
        private Optional<Set<String>> left = Optional.empty();
        private Map<String, Long> scores = Map.of();
    }

    /** @param extender there may be one */
    public Advice(Optional<Extender> extender) {
        this.extender = extender;
    }

    private Said said(String pod) {
        return said.computeIfAbsent(pod, _ -> new Said());
    }

    /** The extender is asked which of these nodes are left to a pod, by its UID. */
    public void asks(String pod, List<String> nodes) {
        said(pod).asked = Optional.of(Set.copyOf(nodes));
    }

    /** Its answer comes back. */
    public void leaves(String pod, List<String> nodes) {
        said(pod).left = Optional.of(Set.copyOf(nodes));
    }

    /** Its points for nodes come back. */
    public void scores(String pod, Map<String, Long> points) {
        said(pod).scores = Map.copyOf(points);
    }

    /** This is made of what it said. */
    void take(Pod pod, Answer answer) {
        Said by = said(pod.meta().uid());
        said.remove(pod.meta().uid());
        taken.remove(pod.meta().uid());
        boolean fails = by.left.isEmpty();
        boolean ignorable = extender.orElseThrow().ignorable();
        switch (answer) {
            case Answer.Advised(ExtenderAdvice advice) -> {
                if (fails && !ignorable) {
                    throw new Violation(pod.key() + " goes on without an extender that has failed and must be heard");
                }
                by.left.or(() -> by.asked).ifPresent(left -> same(pod, "nodes that are left", left, advice.left()));
                same(pod, "scores", weighed(by, advice), advice.scores());
                taken.put(pod.meta().uid(), advice);
            }
            case Answer.Failed(String message) -> {
                if (ignorable || !fails) {
                    throw new Violation(pod.key() + " goes nowhere by an extender that "
                            + (fails ? "may be ignored: " : "has answered: ") + message);
                }
            }
            case Answer.VictimsChosen _ -> {}
        }
    }

    private Map<String, Long> weighed(Said by, ExtenderAdvice advice) {
        long each = extender.orElseThrow().weight() * POINTS;
        return advice.left().size() < 2
                ? Map.of()
                : by.scores.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, points -> points.getValue() * each));
    }

    private static void same(Pod pod, String what, Object said, Object taken) {
        if (!said.equals(taken)) {
            throw new Violation(what + " of " + pod.key() + ": the extender has said " + said + ", taken is " + taken);
        }
    }

    /** A pod in which extenders have a say has been decided. */
    void isHeeded(Pod pod, String node) {
        ExtenderAdvice advice = taken.remove(pod.meta().uid());
        if (advice == null) {
            throw new Violation(pod.key() + " is put on " + node + ", and no extender was asked");
        }
        if (!advice.left().contains(node)) {
            throw new Violation(pod.key() + " is put on " + node + ", where its extender leaves " + advice.left());
        }
    }

    /** The same; its points are worth more than all that plugins give. */
    void isBest(Pod pod, String node, Predicate<String> fits) {
        Optional.ofNullable(taken.get(pod.meta().uid())).ifPresent(advice -> {
            long score = advice.scores().getOrDefault(node, 0L);
            advice.left().stream()
                    .filter(other -> advice.scores().getOrDefault(other, 0L) > score && fits.test(other))
                    .findFirst()
                    .ifPresent(better -> {
                        throw new Violation(pod.key() + " is put on " + node + ", where its extender prefers " + better
                                + ": " + advice.scores());
                    });
        });
    }
}
