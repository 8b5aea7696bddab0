package io.evenkeel.tools.cli;

import io.evenkeel.kube.watch.WatchStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Tells a user of watches that fail: a line when they do, whichever and however many, and one when all go on.
 * A stream that breaks off is everyday life; one that is still broken at the next look is not.
 */
final class WatchTroubles {
    private final String host;
    private Set<String> failedBefore = Set.of();
    private boolean told;

    WatchTroubles(String host) {
        this.host = host;
    }

    /** Looks at all watches; a sentence where there is something new. */
    Optional<String> look(List<WatchStatus> watches) {
        List<WatchStatus> failing = watches.stream()
                .filter(watch -> !watch.absent() && !watch.problem().isEmpty())
                .toList();
        List<WatchStatus> stillFailing = failing.stream()
                .filter(watch -> failedBefore.contains(watch.kind()))
                .toList();
        failedBefore = failing.stream().map(WatchStatus::kind).collect(Collectors.toSet());
        if (told && failing.isEmpty()) {
            told = false;
            return Optional.of(host + " can be watched again");
        }
        if (told || stillFailing.isEmpty()) {
            return Optional.empty();
        }
        told = true;
        boolean isAll = failing.size()
                == watches.stream().filter(watch -> !watch.absent()).count();
        return Optional.of("cannot watch " + (isAll ? "" : kinds(failing) + " of ") + host
                + ", trying again; what is printed is as it was before: "
                + stillFailing.getFirst().problem());
    }

    private static String kinds(List<WatchStatus> failing) {
        Set<String> kinds = failing.stream().map(WatchStatus::kind).collect(Collectors.toCollection(TreeSet::new));
        return String.join(", ", kinds);
    }
}
