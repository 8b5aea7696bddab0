package io.evenkeel.plugins.preemption;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.VictimAdvice;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.KnownObjects;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.preemption.Search.Findings;
import java.util.List;
import java.util.Optional;

/**
 * The best of what extenders leave, by their own word of who goes. They were asked a while ago: what they say of a node counts
 * only where the same pods would go now as then.
 *
 * <pre>
 * asked about   n1: a      n2: b      n3: c, d
 * left          n1: a                 n3: d
 * now           n1: e      n2: b      n3: c, d       a has ended meanwhile, and e is in its place
 * to choose                           n3: d
 * </pre>
 */
final class ExtendersChoice {
    private final ClusterView cluster;
    private final Answers answers;
    private final KnownObjects known;

    ExtendersChoice(ClusterView cluster) {
        this.cluster = cluster;
        this.answers = new Answers(cluster.nodes());
        this.known = new KnownObjects(cluster);
    }

    /** By what is found now. */
    Optional<PreemptionCandidate> best(VictimAdvice.Given given, Findings found) {
        return given.left().stream()
                .filter(left -> asked(given, left.node())
                        .filter(then -> isStillSo(then, found))
                        .isPresent())
                .map(this::asItIsNow)
                .filter(left -> !left.victims().isEmpty())
                .reduce((best, next) -> isBetter(next, best) ? next : best);
    }

    /** Whether these are only the nodes that extenders were asked about and left none of. */
    static boolean isWhatWasAskedAbout(VictimAdvice.Given given, List<PreemptionCandidate> now) {
        return now.stream()
                .allMatch(
                        each -> asked(given, each.node()).filter(each::isSameAs).isPresent());
    }

    private static Optional<PreemptionCandidate> asked(VictimAdvice.Given given, String node) {
        return given.asked().stream().filter(each -> each.node().equals(node)).findFirst();
    }

    private boolean isStillSo(PreemptionCandidate asked, Findings found) {
        int node = cluster.nodes().findPresent(asked.node());
        return node >= 0 && found.on(node).filter(asked::isSameAs).isPresent();
    }

    /** With those whom they chose as they are known by now. */
    private PreemptionCandidate asItIsNow(PreemptionCandidate left) {
        List<Pod> there = left.victims().stream()
                .flatMap(victim -> known
                        .pod(victim.key())
                        .filter(now -> now.meta().uid().equals(victim.meta().uid()) && isOn(left.node(), now))
                        .stream())
                .toList();
        return new PreemptionCandidate(left.node(), there, left.violations());
    }

    private boolean isOn(String node, Pod pod) {
        int row = cluster.pods().find(pod.key());
        return cluster.nodes().name(cluster.pods().node(row)).equals(node);
    }

    private boolean isBetter(PreemptionCandidate candidate, PreemptionCandidate best) {
        return answers.isBetter(put(candidate), answers, put(best));
    }

    private int put(PreemptionCandidate candidate) {
        int node = cluster.nodes().find(candidate.node());
        answers.put(node, new ChosenVictims(candidate));
        return node;
    }

    /** The cost of the victims that extenders have chosen, by their word. */
    private record ChosenVictims(PreemptionCandidate candidate) implements Answers.Harm {

        @Override
        public long violations() {
            return candidate.violations();
        }

        @Override
        public int victimCount() {
            return candidate.victims().size();
        }

        @Override
        public int highestPriority() {
            return candidate.victims().stream()
                    .mapToInt(Victims::priority)
                    .max()
                    .orElseThrow();
        }

        @Override
        public long prioritySum() {
            return candidate.victims().stream()
                    .mapToLong(victim -> Victims.positive(Victims.priority(victim)))
                    .sum();
        }

        @Override
        public String earliestStart() {
            int highest = highestPriority();
            return candidate.victims().stream()
                    .filter(victim -> Victims.priority(victim) == highest)
                    .map(Victims::start)
                    .min(String::compareTo)
                    .orElseThrow();
        }
    }
}
