package io.evenkeel.tools.rerun;

import io.evenkeel.app.record.Said;
import io.evenkeel.app.record.SegmentHeader;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.decision.NodeChoice;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.tools.why.ReadOnlyScheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A scheduler that begins with all objects there are at a checkpoint, as one that was started then, and is called as the
 * recorded one was. It does not know what only the other had in memory: how long backoffs last, which pods are on the way.
 * So it may decide otherwise, and that is counted. Among the nodes that are equally good it takes the recorded one.
 */
final class RestartedRun extends ReplayedCalls {
    private final Map<String, String> own = new HashMap<>();
    private final Map<String, String> recorded = new HashMap<>();
    private final List<String> wanted;
    private long decisions;

    RestartedRun(SegmentHeader first, PluginRegistry registry) {
        this(first, registry, new ArrayList<>());
    }

    private RestartedRun(SegmentHeader first, PluginRegistry registry, List<String> wanted) {
        super(first, registry, new AsRecorded(wanted));
        this.wanted = wanted;
    }

    @Override
    void begin(List<KubernetesObject> objects) {
        ReadOnlyScheduler.tell(scheduler(), objects, scheduler()::handle);
    }

    /** The recorded node, where it is among the best; else the first. */
    private record AsRecorded(List<String> wanted) implements NodeChoice {
        @Override
        public int choose(NodeSet best, NodeTable nodes) {
            for (int node = best.first(); node >= 0; node = best.next(node + 1)) {
                if (wanted.contains(nodes.name(node))) {
                    return node;
                }
            }
            return best.first();
        }
    }

    @Override
    long hash() {
        return 0;
    }

    @Override
    Tally tally() {
        long same = recorded.entrySet().stream()
                .filter(binding -> binding.getValue().equals(own.get(binding.getKey())))
                .count();
        long decided = recorded.keySet().stream().filter(own::containsKey).count();
        return new Tally(events(), decisions, recorded.size(), same, decided - same);
    }

    @Override
    Optional<Difference> difference() {
        return Optional.empty();
    }

    @Override
    void make(RecordedCall call) {
        wanted.clear();
        call.commands().stream()
                .map(RecordedCall.Command::said)
                .filter(Said::isBinding)
                .forEach(said -> {
                    wanted.add(said.target());
                    recorded.put(said.pod(), said.target());
                });
        call.make(scheduler());
    }

    @Override
    void said(Command command, Optional<RecordedCall> call) {
        decisions++;
        Said said = Said.of(command);
        if (said.isBinding()) {
            own.put(said.pod(), said.target());
        }
    }
}
