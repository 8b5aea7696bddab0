package io.evenkeel.tools.observe;

import io.evenkeel.app.companion.Times;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.plugins.devices.DeviceCounts;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.why.ReadOnlyScheduler;
import io.evenkeel.whatif.JudgingProfiles;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** A cluster that is told of once, and what is to be said of its spread. */
public final class ClusterOnce {
    private final Scheduler scheduler;
    private final Reader reader;
    private final JudgingProfiles judges;
    private int withoutController;

    public ClusterOnce(SchedulerConfiguration configuration, PluginRegistry registry) {
        scheduler = ReadOnlyScheduler.of(configuration, registry, (_, _) -> {});
        reader = new Reader(scheduler.cluster(), configuration);
        judges = JudgingProfiles.of(configuration);
    }

    public List<Kind<?>> kinds() {
        return scheduler.watchedKinds();
    }

    public void tell(List<KubernetesObject> objects) {
        ReadOnlyScheduler.tell(scheduler, objects, this::tell);
    }

    private void tell(ClusterEvent.Put put) {
        scheduler.handle(put);
        if (put.object() instanceof Pod pod) {
            if (pod.meta().controller().isEmpty()) {
                withoutController++;
            }
            if (!pod.isPlaced() && !pod.meta().terminating()) {
                reader.index().addWaiting(pod);
            }
        }
    }

    /** What there is to say of its spread. */
    public Report report() {
        return found();
    }

    SpreadReport found() {
        Times noTime = new Times(() -> 0, InstantSource.system(), Duration.ZERO);
        SpreadBoard spreads = new SpreadBoard(noTime);
        LintBoard lints = new LintBoard(scheduler.cluster(), reader.index(), noTime);
        boolean all = false;
        while (!all) {
            all = reader.read(Long.MAX_VALUE, spreads::read, spreads::gone);
        }
        return new SpreadReport(
                (int) spreads.shown().stream()
                        .map(one -> one.name().workload())
                        .distinct()
                        .count(),
                spreads.size(),
                withoutController,
                spreads.violated().stream()
                        .map(one ->
                                new SpreadReport.Violated(one.name(), one.isDefault(), one.reading(), one.domains()))
                        .toList(),
                lints.findNow(),
                LastBindings.of(scheduler, reader.index(), judges),
                DeviceCounts.of(scheduler.cluster(), Long.MAX_VALUE));
    }
}
