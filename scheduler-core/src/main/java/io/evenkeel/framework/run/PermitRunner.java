package io.evenkeel.framework.run;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.Status.Code;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.run.BindingSteps.Permission;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks a profile's Permit plugins, on the engine's thread. */
final class PermitRunner {
    /** However long a plugin asks to wait, a pod waits no longer than this for its permit. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);

    private final List<PermitPlugin> plugins;
    private final PluginCalls calls;
    private final Stopwatch stopwatch;

    PermitRunner(List<PermitPlugin> plugins, PluginCalls calls, ProfileObserver observer) {
        this.plugins = plugins;
        this.calls = calls;
        this.stopwatch = observer.at(MeasuredPoint.PERMIT, plugins);
    }

    /** The first that refuses or fails decides; else all are waited for that say so. */
    Permission run(CycleState state, PodInfo pod, NodeInfo node) {
        long began = stopwatch.start();
        Permission permission = ask(state, pod, node);
        Code code = switch (permission) {
            case Permission.Granted _ -> Code.SUCCESS;
            case Permission.Delayed _ -> Code.WAIT;
            case Permission.Denied denied -> denied.objection().status().code();
        };
        stopwatch.stop(code, began);
        return permission;
    }

    private Permission ask(CycleState state, PodInfo pod, NodeInfo node) {
        List<Permission.Delay> delays = List.of();
        for (PermitPlugin plugin : plugins) {
            PermitPlugin.Result result = calls.ask(
                    pod.pod(),
                    () -> plugin.permit(state, pod, node),
                    error -> new PermitPlugin.Result(error, Duration.ZERO));
            if (result.status().isWait()) {
                delays = delays.isEmpty() ? new ArrayList<>() : delays;
                delays.add(new Permission.Delay(plugin.name(), limit(result.timeout())));
            } else if (!result.status().isSuccess()) {
                return new Permission.Denied(Objection.at("Permit", plugin.name(), result.status()));
            }
        }
        return delays.isEmpty() ? Permission.GRANTED : new Permission.Delayed(delays);
    }

    private static Duration limit(Duration asked) {
        if (asked.isNegative()) {
            return Duration.ZERO;
        }
        return asked.compareTo(LONGEST_WAIT) < 0 ? asked : LONGEST_WAIT;
    }
}
