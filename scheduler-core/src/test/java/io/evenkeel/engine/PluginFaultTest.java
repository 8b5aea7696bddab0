package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.ConfigurationReader;
import io.evenkeel.framework.CycleState;
import io.evenkeel.framework.FilterPlugin;
import io.evenkeel.framework.PermitPlugin;
import io.evenkeel.framework.PluginFactory;
import io.evenkeel.framework.PluginRegistry;
import io.evenkeel.framework.PreBindPlugin;
import io.evenkeel.framework.PreEnqueuePlugin;
import io.evenkeel.framework.QueueSortPlugin;
import io.evenkeel.framework.QueuedPod;
import io.evenkeel.framework.ReservePlugin;
import io.evenkeel.framework.SchedulerObserver;
import io.evenkeel.framework.Status;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.NodeBuilder;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodBuilder;
import io.evenkeel.queue.QueueObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A plugin throws: the pod waits, its user and the observer are told, and everything else goes on. */
class PluginFaultTest {
    private static final String ONE_PLUGIN = """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - plugins:
            multiPoint:
              disabled: [{name: "*"}]
              enabled: [{name: Fragile}, {name: DefaultBinder}]
        """;

    private enum Point {
        PRE_ENQUEUE,
        FILTER,
        RESERVE,
        PERMIT,
        PRE_BIND_PRE_FLIGHT,
        UNRESERVE
    }

    private final List<Command> commands = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        FILTER              | no luck
        RESERVE             | running Reserve plugin "Fragile": no luck
        PERMIT              | running Permit plugin "Fragile": no luck
        PRE_BIND_PRE_FLIGHT | running PreBindPreFlight "Fragile": no luck
        """)
    void thePodIsTriedAgainAndCountsNowhere(Point point, String message) {
        RuntimeException fault = new IllegalStateException("no luck");
        Scheduler scheduler = scheduler(new Fragile(point, fault));

        assertThat(scheduler.scheduleNext()).isTrue();

        assertThat(conditions()).singleElement().asString().contains("SchedulerError", "message=" + message + ",");
        assertThat(told).containsExactly("default/p: " + fault);
        assertThat(scheduler.queue().pods()).extracting(Pod::key).containsExactly("default/p");
        assertThat(scheduler.onTheirWay()).isEmpty();
        assertThat(scheduler.cluster().pods().count()).isZero();
        assertThat(ClusterAudit.differences(scheduler.cluster())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"PERMIT", "PRE_BIND_PRE_FLIGHT"})
    void whatWasReservedIsTakenBack(Point point) {
        Fragile plugin = new Fragile(point, new IllegalStateException("no luck"));

        scheduler(plugin).scheduleNext();

        assertThat(plugin.reserved).isEmpty();
    }

    @Test
    void aPodIsKeptOutOfTheQueueByAPluginThatFailsAtIt() {
        RuntimeException fault = new IllegalStateException("no luck");
        Scheduler scheduler = scheduler(new Fragile(Point.PRE_ENQUEUE, fault));

        assertThat(scheduler.scheduleNext()).isFalse();

        assertThat(told).containsExactly("default/p: " + fault);
        assertThat(scheduler.queue().counts().gated()).isOne();
    }

    @Test
    void aBindingComesToNothingAlthoughAPluginFailsToTakeItsReservationBack() {
        RuntimeException fault = new IllegalStateException("no luck");
        Scheduler scheduler = scheduler(new Fragile(Point.UNRESERVE, fault));
        scheduler.scheduleNext();
        Pod pod = ((Command.Bind) commands.getLast()).pod();

        scheduler.handle(new CommandResult.NotBound(pod, "n1", CommandResult.Refusal.FAILED, "no"));

        assertThat(told).containsExactly("default/p: " + fault);
        assertThat(scheduler.onTheirWay()).isEmpty();
        assertThat(scheduler.cluster().pods().count()).isZero();
    }

    @Test
    void aFaultWithoutAMessageIsNamedByItsClass() {
        scheduler(new Fragile(Point.FILTER, new UnsupportedOperationException()))
                .scheduleNext();

        assertThat(conditions())
                .singleElement()
                .asString()
                .contains("message=java.lang.UnsupportedOperationException,");
    }

    private Stream<Object> conditions() {
        return commands.stream()
                .filter(Command.PatchStatus.class::isInstance)
                .map(command -> ((Command.PatchStatus) command).condition());
    }

    /** One node, and a pod that waits for it. */
    private Scheduler scheduler(Fragile plugin) {
        PluginFactory fragile = PluginFactory.of("Fragile", Fragile.class, context -> plugin);
        Scheduler scheduler = new Scheduler(
                new ConfigurationReader().read("test", ONE_PLUGIN),
                new PluginRegistry(List.of(fragile)),
                new FirstByName(),
                SchedulerSettings.of(Set.of("Node"), 0),
                commands::add,
                new SchedulerObserver() {
                    @Override
                    public void faulted(Pod pod, RuntimeException fault) {
                        told.add(pod.key() + ": " + fault);
                    }
                },
                QueueObserver.NONE,
                () -> 0);
        scheduler.handle(new Relist.Began("Node"));
        put(scheduler, NodeBuilder.node("n1").build());
        scheduler.handle(new Relist.Ended("Node"));
        put(scheduler, PodBuilder.pod("p").uid("p-1").build());
        return scheduler;
    }

    private static void put(Scheduler scheduler, KubernetesObject object) {
        scheduler.handle(new ClusterEvent.Put(object));
    }

    /** Throws at one point. */
    private static final class Fragile
            implements QueueSortPlugin, PreEnqueuePlugin, FilterPlugin, ReservePlugin, PermitPlugin, PreBindPlugin {
        private final Point breaksAt;
        private final RuntimeException fault;
        private final List<String> reserved = new ArrayList<>();

        private Fragile(Point breaksAt, RuntimeException fault) {
            this.breaksAt = breaksAt;
            this.fault = fault;
        }

        private void reached(Point point) {
            if (point == breaksAt) {
                throw fault;
            }
        }

        @Override
        public String name() {
            return "Fragile";
        }

        @Override
        public int compare(QueuedPod one, QueuedPod other) {
            return Long.compare(one.queuedAtNanos(), other.queuedAtNanos());
        }

        @Override
        public Status preEnqueue(Pod pod) {
            reached(Point.PRE_ENQUEUE);
            return Status.SUCCESS;
        }

        @Override
        public Status filter(CycleState state, PodInfo pod, NodeInfo node) {
            reached(Point.FILTER);
            return Status.SUCCESS;
        }

        @Override
        public Status reserve(CycleState state, PodInfo pod, NodeInfo node) {
            reached(Point.RESERVE);
            reserved.add(pod.pod().key());
            return Status.SUCCESS;
        }

        @Override
        public void unreserve(CycleState state, PodInfo pod, NodeInfo node) {
            reached(Point.UNRESERVE);
            reserved.remove(pod.pod().key());
        }

        @Override
        public PermitPlugin.Result permit(CycleState state, PodInfo pod, NodeInfo node) {
            reached(Point.PERMIT);
            return PermitPlugin.Result.ALLOW;
        }

        @Override
        public Status preBindPreFlight(CycleState state, PodInfo pod, String nodeName) {
            reached(Point.PRE_BIND_PRE_FLIGHT);
            return Status.SUCCESS;
        }

        @Override
        public Status preBind(CycleState state, PodInfo pod, String nodeName) {
            return Status.SUCCESS;
        }
    }
}
