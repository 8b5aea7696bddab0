package io.evenkeel.groups;

import io.evenkeel.groups.AlikeModel.KeyLevel;
import io.evenkeel.groups.AlikeModel.SkewRule;
import io.evenkeel.groups.Certificate.Cut;
import io.evenkeel.groups.Certificate.Proof;
import io.evenkeel.groups.FlowNetwork.FlowCost;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * A proof that pods cannot be placed: a contradiction for each choice of what the emptiest domains hold in the end.
 *
 * @param view the view of the model that has it
 */
record Disproof(AlikeModel view, Proof proof) {

    /**
     * The proof that so many cannot be placed, if a view of the model has one.
     *
     * @param group the pods by key
     * @param effort whether one of this cost may still be made; without, nothing is proved
     */
    static Optional<Disproof> find(AlikeModel model, List<String> group, LongPredicate effort) {
        return model.views().stream()
                .flatMap(view -> cuts(view, group.size(), effort).stream()
                        .map(cuts -> new Disproof(view, proof(view, group, cuts))))
                .findFirst();
    }

    /** Whether so many are not disproved; so it is, too, where that is not known for want of effort. */
    static boolean allows(AlikeModel model, int pods, LongPredicate effort) {
        return model.views().stream().allMatch(view -> cuts(view, pods, effort).isEmpty());
    }

    private static Optional<List<Cut>> cuts(AlikeModel view, int pods, LongPredicate effort) {
        List<List<Integer>> minima = view.minima(pods);
        List<Cut> cuts = new ArrayList<>();
        if (pods > view.room() || minima.stream().anyMatch(List::isEmpty)) {
            return Optional.of(cuts);
        }
        MinimaChoices choices = MinimaChoices.of(minima);
        if (!choices.isComplete()) {
            return Optional.empty();
        }
        for (int[] choice : choices.all()) {
            if (!effort.test(FlowCost.of(view, pods))) {
                return Optional.empty();
            }
            EndStates.Found found = EndStates.find(view, pods, choice);
            if (found.byNode().isPresent()) {
                return Optional.empty();
            }
            cuts.add(found.cut());
        }
        return Optional.of(cuts);
    }

    private static Proof proof(AlikeModel view, List<String> group, List<Cut> cuts) {
        return new Proof.Cuts(
                group,
                keys(view.chain),
                keys(view.otherChain),
                keys(view.perNode),
                view.levels.stream()
                        .flatMap(level -> level.rules().stream())
                        .map(SkewRule::words)
                        .toList(),
                cuts);
    }

    private static List<String> keys(List<KeyLevel> levels) {
        return levels.stream().map(KeyLevel::key).toList();
    }

    /**
     * The choices of what the emptiest domain of each rule holds in the end, the most even ends first. There are few: with as
     * many domains as pods or fewer, maxSkew leaves about so many for each rule.
     *
     * @param all choices, by rule
     * @param isComplete whether none was left out
     */
    record MinimaChoices(List<int[]> all, boolean isComplete) {
        private static final int MOST = 256;

        /** All combinations of what is possible by rule. */
        static MinimaChoices of(List<List<Integer>> byRule) {
            List<int[]> choices = new ArrayList<>();
            choices.add(new int[byRule.size()]);
            boolean complete = true;
            for (int rule = 0; rule < byRule.size(); rule++) {
                List<int[]> longer = new ArrayList<>();
                for (int[] choice : choices) {
                    for (int minimum : byRule.get(rule).reversed()) {
                        int[] more = choice.clone();
                        more[rule] = minimum;
                        longer.add(more);
                    }
                }
                complete &= longer.size() <= MOST;
                choices = longer.size() <= MOST ? longer : new ArrayList<>(longer.subList(0, MOST));
            }
            choices.sort(Comparator.comparingLong(MinimaChoices::sum).reversed());
            return new MinimaChoices(List.copyOf(choices), complete);
        }

        private static long sum(int[] minima) {
            long sum = 0;
            for (int minimum : minima) {
                sum += minimum;
            }
            return sum;
        }
    }
}
