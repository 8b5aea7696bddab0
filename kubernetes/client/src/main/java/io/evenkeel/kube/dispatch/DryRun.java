package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.EventSink.Regarding;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.kube.dispatch.CommandSink.DispatcherView;
import io.evenkeel.kube.dispatch.CommandSink.Unfinished;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what would be done and does none of it; the server is not even asked. No plugin's PreBind, Bind or PostBind runs
 * either, as those write.
 *
 * <p>A binding is answered with Bound, and a later look finds the pod on its node: the scheduler, which otherwise would
 * miss the server's word on it, sees its pods where it put them for as long as the run lasts. A look at any other pod
 * finds it as it was in the command.
 */
public final class DryRun implements CommandSink {
    private static final Logger log = LoggerFactory.getLogger(DryRun.class);
    private static final int MOST_REMEMBERED = 200_000;

    private final Consumer<CommandResult> results;
    private final Map<String, String> nodeByUid;

    /** The entries that were asked for last: no message says that a pod is gone, and a dry run may last for weeks. */
    private static final class Recent extends LinkedHashMap<String, String> {
        private static final long serialVersionUID = 1L;

        private final int most;

        Recent(int most) {
            super(16, 0.75f, true);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > most;
        }
    }

    public DryRun(Consumer<CommandResult> results) {
        this(results, MOST_REMEMBERED);
    }

    DryRun(Consumer<CommandResult> results, int mostRemembered) {
        this.results = results;
        nodeByUid = Collections.synchronizedMap(new Recent(mostRemembered));
    }

    @Override
    public void submit(Command.AtServer command) {
        switch (command) {
            case Command.Bind(var pod, var node, var _) -> {
                log.atInfo()
                        .setMessage("Would bind")
                        .addKeyValue("pod", pod.key())
                        .addKeyValue("node", node)
                        .log();
                nodeByUid.put(pod.meta().uid(), node);
                results.accept(new CommandResult.Bound(pod, node));
            }
            case Command.Lookup(var pod) -> results.accept(new CommandResult.Found(pod, Optional.of(asIfBound(pod))));
            case Command.Evict(var pod, var preemptor, var _) -> {
                log.atInfo()
                        .setMessage("Would evict")
                        .addKeyValue("pod", pod.key())
                        .addKeyValue("preemptor", preemptor.key())
                        .log();
                results.accept(new CommandResult.Evicted(pod));
            }
            case Command.WriteObject(var pod, var patch, boolean awaited) -> {
                log.atInfo()
                        .setMessage("Would write an object")
                        .addKeyValue("pod", pod.key())
                        .addKeyValue("kind", patch.kind().name())
                        .addKeyValue("object", patch.object().key())
                        .log();
                if (awaited) {
                    results.accept(new CommandResult.OnlySaid(pod));
                }
            }
            case Command.PatchStatus patch -> patch(patch);
            case Command.RecordEvent(var pod, var event) -> recordEvent(Regarding.pod(pod), event);
            case Command.PatchGroup(var _, var _, var group, var condition) ->
                log.atDebug()
                        .setMessage("Would set the condition")
                        .addKeyValue("group", group.key())
                        .addKeyValue(condition.type(), condition.status())
                        .addKeyValue("reason", condition.reason())
                        .addKeyValue("message", condition.message())
                        .log();
            case Command.RecordGroupEvent(var _, var kind, var group, var event) ->
                recordEvent(Regarding.object(kind, group), event);
        }
    }

    private static void patch(Command.PatchStatus patch) {
        patch.conditions()
                .forEach(condition -> log.atDebug()
                        .setMessage("Would set the condition")
                        .addKeyValue("pod", patch.pod().key())
                        .addKeyValue(condition.type(), condition.status())
                        .addKeyValue("reason", condition.reason())
                        .addKeyValue("message", condition.message())
                        .log());
        patch.nominatedNodeName()
                .ifPresent(node -> log.atDebug()
                        .setMessage("Would nominate")
                        .addKeyValue("pod", patch.pod().key())
                        .addKeyValue("node", node)
                        .log());
    }

    private Pod asIfBound(Pod pod) {
        String node = nodeByUid.get(pod.meta().uid());
        return node == null ? pod : PodBuilder.from(pod).nodeName(node).build();
    }

    @Override
    public void recordEvent(Regarding regarding, ObjectEvent event) {
        log.atDebug()
                .setMessage("Would write an event")
                .addKeyValue("about", regarding.name())
                .addKeyValue("reason", event.reason())
                .addKeyValue("note", event.note())
                .log();
    }

    @Override
    public boolean drain(Duration time, Sleeper sleeper) {
        return true;
    }

    @Override
    public Unfinished unfinished() {
        return Unfinished.NOTHING;
    }

    @Override
    public Duration overdue() {
        return Duration.ZERO;
    }

    @Override
    public DispatcherView view() {
        return DispatcherView.IDLE;
    }

    @Override
    public void close() {
        nodeByUid.clear();
    }
}
