package io.evenkeel.tools.observe;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.Skew;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.tools.why.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;

/** A constraint of some replicas, with the counter that the plugin reads for it. */
final class WatchedConstraint {
    private static final int MOST_NAMED = 5;

    private final Replicas replicas;
    private final TopologySpreadConstraint constraint;
    private final boolean isDefault;
    private final SelectorGroup group;
    private final DomainCounter counter;
    private SpreadReading reading = SpreadReading.NOTHING;
    boolean isQueued;
    boolean isGone;

    WatchedConstraint(
            Replicas replicas,
            TopologySpreadConstraint constraint,
            boolean isDefault,
            SelectorGroup group,
            DomainCounter counter) {
        this.replicas = replicas;
        this.constraint = constraint;
        this.isDefault = isDefault;
        this.group = group;
        this.counter = counter;
    }

    Replicas replicas() {
        return replicas;
    }

    /** With its matchLabelKeys resolved. */
    TopologySpreadConstraint constraint() {
        return constraint;
    }

    /** Whether it is the profile's, not the pods' own. */
    boolean isDefault() {
        return isDefault;
    }

    SelectorGroup group() {
        return group;
    }

    DomainCounter counter() {
        return counter;
    }

    SpreadName name() {
        return new SpreadName(replicas.workload(), constraint.topologyKey(), constraint.isHard());
    }

    SpreadReading reading() {
        return reading;
    }

    /** Whether the constraint counts the replicas themselves, as it is meant to. An empty selector may count no pod. */
    boolean countsOwnPods() {
        return group.key()
                .matches()
                .getFirst()
                .selector()
                .matches(replicas.sample().labels());
    }

    /** The domains now, fullest first. */
    List<SpreadReading.Domain> domains() {
        return domains(_ -> true);
    }

    private List<SpreadReading.Domain> domains(IntPredicate areMeant) {
        Topology topology = counter.topology();
        List<SpreadReading.Domain> domains = new ArrayList<>();
        for (int domain = 0; domain < topology.end(); domain++) {
            if (counter.isCounted(domain) && areMeant.test(counter.sumOf(domain))) {
                domains.add(new SpreadReading.Domain(topology.value(domain), counter.sumOf(domain)));
            }
        }
        domains.sort(SpreadReading.Domain.FULLEST_FIRST);
        return domains;
    }

    /** A look at each domain. */
    void read() {
        Skew skew = Skew.of(counter, constraint);
        List<SpreadReading.Domain> violating =
                skew.isAbove(skew.fullest(), constraint) ? domains(pods -> skew.isAbove(pods, constraint)) : List.of();
        reading = new SpreadReading(skew.skew(), constraint.maxSkew(), skew.domains(), violating);
    }

    /** The domains that are too full, the fullest by name. */
    static String inWords(List<SpreadReading.Domain> domains) {
        List<String> words = new ArrayList<>();
        domains.stream().limit(MOST_NAMED).forEach(domain -> words.add(domain.value() + "=" + domain.pods()));
        if (domains.size() > MOST_NAMED) {
            words.add((domains.size() - MOST_NAMED) + " more");
        }
        return String.join(" ", words);
    }

    /**
     * The content of a constraint's domains when they were looked at.
     *
     * @param skew as {@link io.evenkeel.cluster.counting.Skew} measures it
     * @param allowed maxSkew
     * @param domains how many are counted
     * @param violating those with more than maxSkew above the emptiest, fullest first
     */
    record SpreadReading(int skew, int allowed, int domains, List<Domain> violating) {
        static final SpreadReading NOTHING = new SpreadReading(0, 1, 0, List.of());

        /** A domain with the pods that the constraint counts there. */
        record Domain(String value, int pods) {
            static final Comparator<Domain> FULLEST_FIRST =
                    Comparator.comparingInt(Domain::pods).reversed().thenComparing(Domain::value);
        }

        boolean isViolated() {
            return skew > allowed;
        }

        /** How far the skew is beyond what is allowed; negative within. */
        int excess() {
            return skew - allowed;
        }
    }

    /** Tells a workload's constraints apart for people: its revisions, and constraints that are alike in these, are one. */
    record SpreadName(Workload workload, String topologyKey, boolean isHard) implements Comparable<SpreadName> {
        private static final Comparator<SpreadName> ORDER = Comparator.comparing(
                        SpreadName::workload,
                        Comparator.comparing(Workload::namespace).thenComparing(Workload::kind))
                .thenComparing(SpreadName::workload)
                .thenComparing(SpreadName::topologyKey)
                .thenComparing(SpreadName::isHard);

        String whenUnsatisfiable() {
            return isHard ? "DoNotSchedule" : "ScheduleAnyway";
        }

        @Override
        public int compareTo(SpreadName other) {
            return ORDER.compare(this, other);
        }
    }
}
