package io.evenkeel.engine.group.flow;

import io.evenkeel.engine.group.flow.Certificate.Cut;
import io.evenkeel.engine.group.flow.Certificate.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/** Looks for a proof that pods cannot be placed: a contradiction for each choice of what the emptiest domains hold in the end. */
public final class Disproof {
    private Disproof() {}

    /**
     * The proof that so many cannot be placed, if the model has one.
     *
     * @param group the pods by key
     * @param effort whether one of this cost may still be made; without, nothing is proved
     */
    public static Optional<Proof> find(AlikeModel model, List<String> group, LongPredicate effort) {
        int pods = group.size();
        List<List<Integer>> minima = model.minima(pods);
        MinimaChoices choices = MinimaChoices.of(minima);
        List<Cut> cuts = new ArrayList<>();
        if (pods <= model.room() && minima.stream().noneMatch(List::isEmpty)) {
            if (!choices.isComplete()) {
                return Optional.empty();
            }
            for (int[] choice : choices.all()) {
                if (!effort.test(FlowCost.of(model, pods))) {
                    return Optional.empty();
                }
                EndStates.Found found = EndStates.find(model, pods, choice);
                if (found.byNode().isPresent()) {
                    return Optional.empty();
                }
                cuts.add(found.cut());
            }
        }
        return Optional.of(new Proof.Cuts(
                group,
                keys(model.chain),
                keys(model.otherChain),
                keys(model.perNode),
                model.levels.stream()
                        .flatMap(level -> level.rules().stream())
                        .map(SkewRule::words)
                        .toList(),
                cuts));
    }

    private static List<String> keys(List<KeyLevel> levels) {
        return levels.stream().map(KeyLevel::key).toList();
    }
}
