package io.evenkeel.whatif.why;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Why a pod fits nowhere.
 *
 * @param rules what the plugins count that turn nodes away
 * @param nearest the nodes that least is in the way of, nearest first
 * @param remedies what would help, the mildest first: each was tried
 * @param untold how many remedies more were found
 * @param inVain what people would think of, and does not help
 * @param awaited what may wake the pod, by the plugins that turned nodes away
 */
public record Answer(
        Pod pod,
        Funnel funnel,
        List<Rule> rules,
        List<NearNode> nearest,
        List<Remedy> remedies,
        int untold,
        List<IneffectiveChange> inVain,
        List<Awaited> awaited) {

    public record Rule(String plugin, Account account) {}

    /**
     * Changes after which the pod may have another turn, if they seem to help it.
     *
     * @param changes none where any may
     */
    public record Awaited(String plugin, List<ChangeKind> changes) {}

    /**
     * How many nodes each plugin takes out, in the order in which they are asked; the counts are those of the message.
     *
     * <pre>
     * 5 nodes   TaintToleration −1 → 4   NodeResourcesFit −3 → 1   PodTopologySpread −1 → 0
     * </pre>
     *
     * @param nodes how many there are
     * @param outright who turned the pod away before nodes were looked at
     * @param message the reference's
     */
    public record Funnel(int nodes, Optional<Diagnosis.PreFilterRejection> outright, List<Step> steps, String message) {

        /**
         * The nodes that one plugin takes out.
         *
         * @param reasons how many nodes have which; a node may have several
         * @param left how many nodes are left then
         */
        public record Step(String plugin, int rejected, SortedMap<String, Integer> reasons, int left) {}

        static Funnel of(Diagnosis diagnosis) {
            List<Step> steps = new ArrayList<>();
            int left = diagnosis.nodeCount();
            int excluded = diagnosis.excluded().size();
            if (excluded > 0) {
                left -= excluded;
                SortedMap<String, Integer> reasons = new TreeMap<>(Map.of(diagnosis.excludedReason(), excluded));
                steps.add(new Step(String.join(",", diagnosis.narrowedBy()), excluded, reasons, left));
            }
            Map<String, List<Rejection>> byPlugin = new LinkedHashMap<>();
            diagnosis
                    .rejections()
                    .forEach(rejection -> byPlugin.computeIfAbsent(rejection.plugin(), _ -> new ArrayList<>())
                            .add(rejection));
            for (Map.Entry<String, List<Rejection>> plugin : byPlugin.entrySet()) {
                int rejected = 0;
                SortedMap<String, Integer> reasons = new TreeMap<>();
                for (Rejection rejection : plugin.getValue()) {
                    int nodes = rejection.nodes().size();
                    rejected += nodes;
                    rejection.status().reasons().forEach(reason -> reasons.merge(reason, nodes, Integer::sum));
                }
                left -= rejected;
                steps.add(new Step(plugin.getKey(), rejected, reasons, left));
            }
            return new Funnel(diagnosis.nodeCount(), diagnosis.preFilter(), List.copyOf(steps), diagnosis.message());
        }
    }

    /**
     * A node and all that is in the pod's way there.
     *
     * @param lacks of each thing in the way what its plugin names first of what might help, or why it is in the way where it names none
     * @param distance how far the plugins say that it is from a node that would do; comparable where the objections are the same
     */
    public record NearNode(String name, List<Objection> objections, List<String> lacks, double distance) {
        static final Comparator<NearNode> ORDER = Comparator.<NearNode>comparingInt(
                        node -> node.objections().size())
                .thenComparingDouble(NearNode::distance)
                .thenComparing(NearNode::name);
    }

    /**
     * A change that was tried and does not help.
     *
     * @param because what is in the pod's way nevertheless
     */
    public record IneffectiveChange(Change change, String because) {
        public String text() {
            return change.text() + ": " + because;
        }
    }
}
