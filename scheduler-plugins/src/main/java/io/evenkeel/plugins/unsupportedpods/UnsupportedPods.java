package io.evenkeel.plugins.unsupportedpods;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.PluginFactory;
import io.evenkeel.framework.PreFilterPlugin;
import io.evenkeel.framework.WakeUpPlugin;
import io.evenkeel.framework.change.ChangeKind;
import io.evenkeel.framework.change.Hint;
import io.evenkeel.framework.change.WakeUp;
import io.evenkeel.framework.cycle.CycleState;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.PreFilterResult;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.PodVolume;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Keeps pods waiting that need a volume bound or attached, or a device allocated: on a node chosen without regard to that
 * they might never start. It goes when VolumeBinding, its like and DynamicResources have come.
 */
public final class UnsupportedPods implements PreFilterPlugin, DryRunPlugin, WakeUpPlugin {
    public static final String NAME = "UnsupportedPods";
    public static final PluginFactory FACTORY =
            PluginFactory.of(NAME, UnsupportedPods.class, _ -> new UnsupportedPods());

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PodInfo pod) {
        PodSpec spec = pod.pod().spec();
        return spec.volumes().isEmpty() && spec.resourceClaims().isEmpty()
                ? PreFilterResult.PROCEED
                : new PreFilterResult.Rejected(Status.unresolvable(reason(spec)));
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        return FilterDryRun.PASSES;
    }

    private static String reason(PodSpec spec) {
        List<String> needs = new ArrayList<>();
        if (!spec.volumes().isEmpty()) {
            needs.add("volumes "
                    + spec.volumes().stream().map(UnsupportedPods::describe).collect(Collectors.joining(", ")));
        }
        if (!spec.resourceClaims().isEmpty()) {
            needs.add("resource claims " + String.join(", ", spec.resourceClaims()));
        }
        return "the pod needs what evenkeel does not support yet: " + String.join("; ", needs)
                + ". Let kube-scheduler place it, or run evenkeel with --allow-unsupported to place it regardless";
    }

    private static String describe(PodVolume volume) {
        return volume.name() + " (" + volume.source().field() + ")";
    }

    /** Volumes and claims of a pod are for good; only another pod of its name could do without. */
    @Override
    public List<WakeUp> wakeUps() {
        return List.of(WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_OTHER));
    }
}
