package io.evenkeel.app.record.replay;

import io.evenkeel.app.record.format.RecordException;
import io.evenkeel.app.record.format.SegmentHeader;
import io.evenkeel.app.record.replay.ReplayedCalls.Tally;
import io.evenkeel.app.why.Asker;
import io.evenkeel.app.why.PodReport;
import io.evenkeel.framework.run.PluginRegistry;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Replays a record until a moment, says whether everything was decided as recorded, and answers why as of then. */
public final class RecordReplay {
    private final Path path;
    private final PluginRegistry plugins;
    private final List<String> lines = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private boolean same = true;
    private Optional<ChainReplay> last = Optional.empty();

    private RecordReplay(Path path, PluginRegistry plugins) {
        this.path = path;
        this.plugins = plugins;
    }

    /**
     * Replays the record that is in a directory, or the one segment that a file is.
     *
     * @param plugins that profiles may name
     * @param version of this program
     * @throws RecordException if the record cannot be read
     */
    public static RecordReplay run(Path path, Optional<Moment> at, PluginRegistry plugins, String version) {
        RecordReplay replay = new RecordReplay(path, plugins);
        replay.run(at, version);
        return replay;
    }

    private void run(Optional<Moment> at, String version) {
        RecordedRun found = RecordedRun.of(path, at);
        remarks.addAll(found.leftOut());
        List<Chain> chains = found.chains();
        SegmentHeader first = chains.getFirst().first();
        Optional<Instant> until = at.map(moment -> moment.in(first));
        if (until.filter(first.time()::isAfter).isPresent()) {
            throw new RecordException(
                    path + ": the record begins at " + first.time() + ", which is after " + until.get());
        }
        if (!first.settings().version().equals(version)) {
            remarks.add(path + ": recorded by evenkeel " + first.settings().version() + ", and this is " + version
                    + ": it may decide otherwise");
        }
        for (Chain chain : chains) {
            if (until.filter(chain.first().time()::isAfter).isEmpty()) {
                replay(chain, until);
            }
        }
    }

    private void replay(Chain chain, Optional<Instant> until) {
        ChainReplay replay = new ChainReplay(chain, plugins, until);
        replay.run();
        remarks.addAll(replay.remarks());
        Tally tally = replay.calls().tally();
        String span = chain.first().time() + " to " + replay.reached() + ": " + count(tally.events(), "event") + ", "
                + count(tally.decisions(), "command");
        if (chain.isWhole()) {
            lines.add("From the beginning, " + span);
            lines.add(replay.calls()
                    .difference()
                    .map(RecordReplay::text)
                    .orElseGet(() -> "All as recorded, hash %016x"
                            .formatted(replay.calls().hash())));
            same &= replay.calls().difference().isEmpty() && replay.calls().hash() == replay.recordedHash();
        } else {
            lines.add("From a checkpoint, " + span);
            lines.add(String.format(
                    Locale.ROOT,
                    "As a scheduler decides that was restarted at the checkpoint: of %,d bindings %,d as recorded, %,d to"
                            + " another node, %,d not, as the pod was bound before its turn",
                    tally.bindings(),
                    tally.same(),
                    tally.others(),
                    tally.bindings() - tally.same() - tally.others()));
        }
        last = Optional.of(replay);
    }

    private static String text(Difference difference) {
        return "Decided otherwise after event " + String.format(Locale.ROOT, "%,d", difference.event()) + ", at "
                + difference.time() + (difference.pod().isEmpty() ? "" : ", pod " + difference.pod()) + ": "
                + difference.text();
    }

    private static String count(long number, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
    }

    /** The result, in lines. */
    public List<String> lines() {
        return lines;
    }

    /** What else a user should know. */
    public List<String> remarks() {
        return remarks;
    }

    /** Whether nothing was decided otherwise, as far as it has to be the same. */
    public boolean isSame() {
        return same;
    }

    /** Why a pod was where it was at the moment, or nowhere; empty where there was none of this name. */
    public Optional<PodReport> why(String pod) {
        return last.orElseThrow().questions().about(pod, Asker.OPERATOR);
    }
}
