package io.evenkeel.engine.why;

import io.evenkeel.engine.why.PodQuestions.Trial;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.Sized;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the least of changes that seem to help: leaves out what can be left out, and makes each as small as it may be. What is
 * told as the smallest has been tried, and so has the next smaller one.
 */
final class RemedyShrinker {
    private static final int MOST_TRIED = 400;
    /** Nobody makes more at once, and each trial costs what all of them cost. */
    static final int MOST_CHANGES = 32;

    private static final int MOST_DOUBLED = 4;
    /** One smaller may let another be smaller too, where pods that come before go elsewhere then. */
    private static final int MOST_PASSES = 4;

    private final Trial trial;
    private final Map<List<Change>, Optional<String>> tried = new HashMap<>();

    RemedyShrinker(Trial trial) {
        this.trial = trial;
    }

    /** @param isSmallest whether it is known that none can be left out or be smaller */
    record Least(List<Change> changes, boolean isSmallest) {}

    /** Empty where the changes do not help after all. */
    Optional<Least> of(List<Change> changes) {
        return changes.size() > MOST_CHANGES ? Optional.empty() : least(changes);
    }

    private Optional<Least> least(List<Change> changes) {
        return grown(changes).map(helping -> {
            List<Change> before = List.of();
            List<Change> least = helping;
            for (int pass = 0; pass < MOST_PASSES && !least.equals(before); pass++) {
                before = least;
                least = fewest(least);
                for (int at = 0; at < least.size(); at++) {
                    least = shrunk(least, at);
                }
            }
            return new Least(List.copyOf(least), least.equals(before) && mayTryMore());
        });
    }

    private boolean help(List<Change> changes) {
        return nodeWith(changes).isPresent();
    }

    /** Where the pod goes with these; each is tried once, and no more than so many for a pod. */
    Optional<String> nodeWith(List<Change> changes) {
        if (!tried.containsKey(changes) && mayTryMore()) {
            tried.put(List.copyOf(changes), attempt(changes));
        }
        return tried.getOrDefault(changes, Optional.empty());
    }

    /** Tries the changes; a way to a plugin that fails does not help. */
    private Optional<String> attempt(List<Change> changes) {
        try {
            return trial.nodeWith(changes);
        } catch (PluginFailure failed) {
            return Optional.empty();
        }
    }

    /** An untried change does not count as known to help, but neither as known not to. */
    private boolean mayTryMore() {
        return tried.size() < MOST_TRIED;
    }

    /** Where others come to a node too that offers more, more still is needed than one pod lacks. */
    private Optional<List<Change>> grown(List<Change> changes) {
        List<Change> some = changes;
        for (int doubled = 0; doubled <= MOST_DOUBLED; doubled++) {
            if (help(some)) {
                return Optional.of(some);
            }
            List<Change> more = some.stream()
                    .map(change -> change instanceof Sized sized ? sized.ofSize(2 * sized.size()) : change)
                    .toList();
            if (more.equals(some)) {
                return Optional.empty();
            }
            some = more;
        }
        return Optional.empty();
    }

    private List<Change> fewest(List<Change> changes) {
        for (int at = 0; changes.size() > 1 && at < changes.size(); at++) {
            List<Change> without = new ArrayList<>(changes);
            without.remove(at);
            if (help(without)) {
                return fewest(without);
            }
        }
        return changes;
    }

    /** Between a size that does not help, and one that does: 0 is what there is without the change. */
    private List<Change> shrunk(List<Change> changes, int at) {
        if (!(changes.get(at) instanceof Sized sized) || sized.size() <= 1) {
            return changes;
        }
        long helping = sized.size();
        long tooSmall = 0;
        long next = helping - 1;
        while (helping - tooSmall > 1) {
            if (help(with(changes, at, sized.ofSize(next)))) {
                helping = next;
            } else {
                tooSmall = next;
            }
            next = tooSmall + (helping - tooSmall) / 2;
        }
        return with(changes, at, sized.ofSize(helping));
    }

    private static List<Change> with(List<Change> changes, int at, Change change) {
        List<Change> all = new ArrayList<>(changes);
        all.set(at, change);
        return List.copyOf(all);
    }
}
