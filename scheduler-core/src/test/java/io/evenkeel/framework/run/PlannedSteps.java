package io.evenkeel.framework.run;

import io.evenkeel.api.BindPlugin;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PostBindPlugin;
import io.evenkeel.api.PreBindPlugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.function.Supplier;

/** Binding steps with plugins that do as they are told. */
public final class PlannedSteps {
    private PlannedSteps() {}

    /** No plugin takes part. */
    public static BindingSteps none(Pod pod, String node) {
        return steps(pod, node, List.of(), List.of(), List.of());
    }

    public static BindingSteps of(
            Pod pod, String node, Supplier<Status> before, Supplier<Status> bind, Runnable after) {
        return steps(pod, node, List.of(new Before(before)), List.of(new Bind(bind)), List.of(new After(after)));
    }

    private static BindingSteps steps(
            Pod pod,
            String node,
            List<PreBindPlugin> preBinds,
            List<BindPlugin> binds,
            List<PostBindPlugin> postBinds) {
        return new BindingRunner(
                        List.of(),
                        List.of(),
                        preBinds,
                        binds,
                        postBinds,
                        List.of(),
                        true,
                        PluginCalls.UNTOLD,
                        ProfileObserver.NONE)
                .steps(new CycleState(), new ClusterState().admit(pod), node);
    }

    private record Before(Supplier<Status> does) implements PreBindPlugin {
        @Override
        public String name() {
            return "Before";
        }

        @Override
        public Status preBind(CycleState state, PendingPod pod, String nodeName) {
            return does.get();
        }
    }

    private record Bind(Supplier<Status> does) implements BindPlugin {
        @Override
        public String name() {
            return "Bind";
        }

        @Override
        public Status bind(CycleState state, PendingPod pod, String nodeName) {
            return does.get();
        }
    }

    private record After(Runnable does) implements PostBindPlugin {
        @Override
        public String name() {
            return "After";
        }

        @Override
        public void postBind(CycleState state, PendingPod pod, String nodeName) {
            does.run();
        }
    }
}
