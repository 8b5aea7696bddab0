package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.CarriedTerm;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinityTerm;
import java.util.Arrays;
import java.util.List;

/**
 * Follows who is left in the domains of a node of those whom the pod wants to be with, of those whom it shuns and of those who
 * shun it. The rules are asked in the order of {@link AffinityFilter}. Where there is nothing to follow, as no rule restricts
 * the pod, nominated pods that shun it are not noticed, as by the reference.
 */
final class AffinityDryRun implements FilterDryRun {
    private final ClusterView cluster;
    private final Pod pod;
    private final boolean isOwnCompanion;
    /** The pods that the pod's own rules are about: of its affinity, then of each term of its anti-affinity. */
    private final List<SelectorGroup> groups;

    private final int affinities;
    private final int ownRules;
    private final List<CarriedTerm> shunning;
    /** Of own affinity, of own anti-affinity, of the terms of pods in place. */
    private final DomainCounter[] counters;
    /** By counter, what those had in it who have left the node, less what those would have who are nominated to it. */
    private final int[] left;

    private int node;
    private boolean isShunnedByNominated;

    AffinityDryRun(ClusterView cluster, Pod pod, OwnRules own, List<CarriedTerm> met) {
        this.cluster = cluster;
        this.pod = pod;
        isOwnCompanion = own.companions()
                .filter(companions -> cluster.selectors().selects(companions, pod.namespace(), pod.labels()))
                .isPresent();
        groups = own.groups();
        affinities = own.affinity().size();
        ownRules = affinities + own.antiAffinity().size();
        shunning = met.stream().filter(AffinityFilter::keepsOut).toList();
        counters = new DomainCounter[ownRules + shunning.size()];
        left = new int[counters.length];
        for (int i = 0; i < counters.length; i++) {
            counters[i] = i < affinities
                    ? own.affinity().get(i)
                    : i < ownRules
                            ? own.antiAffinity().get(i - affinities)
                            : shunning.get(i - ownRules).counter();
        }
    }

    @Override
    public boolean isAlike() {
        return true;
    }

    @Override
    public boolean begin(int begun) {
        node = begun;
        cluster.work().add(counters.length);
        isShunnedByNominated = false;
        Arrays.fill(left, 0);
        boolean counts = false;
        for (DomainCounter counter : counters) {
            counts |= counter.eligibility().includes(node) && counter.tally().countOn(node) != 0;
        }
        return counts && !(affinities == 0 && verdict().isSuccess());
    }

    @Override
    public boolean addNominated(PodInfo nominated) {
        Pod other = nominated.pod();
        for (int i = 0; i < ownRules; i++) {
            SelectorGroup group = groups.get(i < affinities ? 0 : i - affinities + Math.min(affinities, 1));
            if (counters[i].eligibility().includes(node)
                    && cluster.selectors().selects(group.key(), other.namespace(), other.labels())) {
                left[i]--;
            }
        }
        isShunnedByNominated |=
                other.spec().podAffinity().requiredAntiAffinity().stream().anyMatch(term -> shuns(other, term));
        return true;
    }

    private boolean shuns(Pod other, PodAffinityTerm term) {
        return cluster.nodes().node(node).labels().has(term.topologyKey())
                && PodMatch.of(term, other.namespace()).matches(pod.namespace(), pod.labels(), cluster.namespaces());
    }

    @Override
    public Status verdict() {
        cluster.work().add(counters.length);
        if (affinities > 0 && !hasCompanions()) {
            return AffinityFilter.LACKS_COMPANIONS;
        }
        for (int i = affinities; i < counters.length; i++) {
            if (isOccupied(i)) {
                return i < ownRules ? AffinityFilter.HAS_SHUNNED_PODS : AffinityFilter.SHUNNED_BY_PODS;
            }
        }
        return isShunnedByNominated ? AffinityFilter.SHUNNED_BY_PODS : Status.SUCCESS;
    }

    private boolean hasCompanions() {
        boolean isFirst = isOwnCompanion;
        for (int i = 0; i < affinities; i++) {
            isFirst &= counters[i].total() <= left[i];
        }
        for (int i = 0; i < affinities; i++) {
            boolean hasKey = counters[i].topology().domainOf(node) != Topology.NO_DOMAIN;
            if (!hasKey || !(isFirst || isOccupied(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean isOccupied(int i) {
        int domain = counters[i].topology().domainOf(node);
        return domain != Topology.NO_DOMAIN && counters[i].sumOf(domain) > left[i];
    }

    @Override
    public void count(int row, int more) {
        for (int i = 0; i < counters.length; i++) {
            if (counters[i].eligibility().includes(node)) {
                left[i] -= more * weightOf(row, i);
            }
        }
    }

    private int weightOf(int row, int i) {
        return i < ownRules
                ? cluster.selectors().isCounted(row, counters[i].tally()) ? 1 : 0
                : cluster.carriedTerms().weightOf(row, shunning.get(i - ownRules));
    }
}
