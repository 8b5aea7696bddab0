package io.evenkeel.plugins;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.Hint;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.PodResourceClaim;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Keeps pods waiting that need a device allocated: on a node chosen without regard to that they might never start. It goes
 * when DynamicResources has come.
 */
final class UnsupportedPods implements PreFilterPlugin, DryRunPlugin, WakeUpPlugin, ExplainingPlugin {
    public static final String NAME = "UnsupportedPods";
    public static final PluginFactory FACTORY =
            TreeContext.factory(NAME, UnsupportedPods.class, _ -> new UnsupportedPods());

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        List<PodResourceClaim> claims = pod.pod().spec().resourceClaims();
        return claims.isEmpty()
                ? PreFilterResult.PROCEED
                : new PreFilterResult.Rejected(Status.unresolvable(reason(claims)));
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        return FilterDryRun.PASSES;
    }

    private static String reason(List<PodResourceClaim> claims) {
        return "the pod needs what evenkeel does not support yet: resource claims "
                + claims.stream().map(PodResourceClaim::name).collect(Collectors.joining(", "))
                + ". Let kube-scheduler place it, or run evenkeel with --allow-unsupported to place it regardless";
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return pod.pod().spec().resourceClaims().stream()
                .<Account>map(claim -> new Account.Words("resource claim " + claim.name()
                        + ": Evenkeel allocates no devices yet, so no node was looked at for them"))
                .toList();
    }

    /** None: what the pod needs is not missing in the cluster. */
    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return List.of();
    }

    /** The claims of a pod are for good; only another pod of its name could do without. */
    @Override
    public List<WakeUp> wakeUps() {
        return List.of(WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_OTHER));
    }
}
