package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.engine.FragilePlugin.Point;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.framework.run.BindingSteps;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.testing.OneProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A plugin throws: the pod waits, its user and the observer are told, and everything else goes on. */
class PluginFaultTest {
    private static final RuntimeException NO_LUCK = new IllegalStateException("no luck");

    private final List<Command> commands = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    private static Stream<Throwable> faults() {
        return Stream.of(
                NO_LUCK,
                new UnsupportedOperationException(),
                new NoClassDefFoundError("com/example/Gone"),
                new StackOverflowError(),
                new AssertionError("never"),
                new IOException("checked"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        PRE_FILTER          | running PreFilter plugin "Fragile": no luck
        FILTER              | running Filter plugin "Fragile": no luck
        PRE_SCORE           | running PreScore plugin "Fragile": no luck
        SCORE               | running Score plugin "Fragile": no luck
        RESERVE             | running Reserve plugin "Fragile": no luck
        PERMIT              | running Permit plugin "Fragile": no luck
        PRE_BIND_PRE_FLIGHT | running PreBindPreFlight "Fragile": no luck
        """)
    void theUserIsToldWhoFailedWhereAndWhy(Point point, String message) {
        scheduler(point, NO_LUCK).scheduleNext();

        assertThat(conditions()).singleElement().asString().contains("SchedulerError", "message=" + message + ",");
        assertThat(told).singleElement().asString().contains("default/p: ", "no luck");
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultThatSaysTooLittleIsNamedByItsClass(Throwable fault) {
        scheduler(Point.FILTER, fault).scheduleNext();

        String why = fault.equals(NO_LUCK) ? "no luck" : fault.toString();
        assertThat(conditions())
                .singleElement()
                .asString()
                .contains("message=running Filter plugin \"Fragile\": " + why + ",");
    }

    @ParameterizedTest
    @EnumSource(names = {"PRE_FILTER", "FILTER", "PRE_SCORE", "SCORE", "RESERVE", "PERMIT", "PRE_BIND_PRE_FLIGHT"})
    void thePodIsTriedAgainAndCountsNowhere(Point point) {
        assertThat(faults()).allSatisfy(fault -> {
            Scheduler scheduler = scheduler(point, fault);

            assertThat(scheduler.scheduleNext()).isTrue();

            assertThat(told).hasSize(1);
            assertThat(scheduler.queue().counts().backoff()).isOne();
            assertThat(scheduler.onTheirWay()).isEmpty();
            assertThat(scheduler.cluster().pods().count()).isZero();
            assertThat(ClusterAudit.differences(scheduler.cluster())).isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"PERMIT", "PRE_BIND_PRE_FLIGHT"})
    void whatWasReservedIsTakenBack(Point point) {
        assertThat(faults()).allSatisfy(fault -> {
            FragilePlugin plugin = new FragilePlugin(point, fault);

            scheduler(plugin).scheduleNext();

            assertThat(plugin.reserved).isEmpty();
        });
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aPodIsKeptOutOfTheQueueByAPluginThatFailsAtIt(Throwable fault) {
        Scheduler scheduler = scheduler(Point.PRE_ENQUEUE, fault);

        assertThat(scheduler.scheduleNext()).isFalse();

        assertThat(told).hasSize(1);
        assertThat(scheduler.queue().counts().gated()).isOne();
    }

    @Test
    void anAnswerOfNullIsThePluginsFault() {
        PlayedScheduler test = new PlayedScheduler().withNodes("n1");
        test.plugin.permit = nothing();
        test.put(ScriptedPlugin.pod("p"));
        test.schedule();
        test.plugin.reserve = nothing();
        test.put(ScriptedPlugin.pod("q"));
        test.schedule();
        assertThat(test.conditions())
                .containsExactly(
                        "SchedulerError running Permit plugin \"Scripted\": the plugin has answered null",
                        "SchedulerError running Reserve plugin \"Scripted\": the plugin has answered null");

        FragilePlugin unsure = new FragilePlugin(Point.PRE_BIND, NO_LUCK) {
            @Override
            public Status preEnqueue(Pod pod) {
                return nothing();
            }
        };
        assertThat(scheduler(unsure).queue().counts().gated()).isOne();
        assertThat(told).singleElement().asString().contains("the plugin has answered null");
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aPluginThatDoesNotSayWhatMayHelpItsPodsIsRefused(Throwable fault) {
        assertThatThrownBy(() -> scheduler(Point.WAKE_UPS, fault))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("plugin Fragile does not say what may help its pods: ");
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // as plugins may that are not checked
    private static <T> T nothing() {
        return null;
    }

    @ParameterizedTest
    @MethodSource("faults")
    void podsThatCannotBeSortedAreTakenAsTheyCame(Throwable fault) {
        Scheduler scheduler = scheduler(Point.QUEUE_SORT, fault);
        put(scheduler, PodBuilder.pod("q").build());

        assertThat(scheduler.scheduleNext()).isTrue();
        assertThat(scheduler.scheduleNext()).isTrue();
        assertThat(commands.stream().filter(Command.Bind.class::isInstance))
                .extracting(command -> command.pod().name())
                .containsExactly("p", "q");
        assertThat(told).isNotEmpty().allMatch(line -> line.contains("running QueueSort plugin \"Fragile\": "));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aHintThatFailsCountsAsYes(Throwable fault) {
        Scheduler scheduler = scheduler(Point.HINT, fault);
        scheduler.scheduleNext();
        assertThat(scheduler.queue().counts().unschedulable()).isOne();

        put(scheduler, NodeBuilder.node("n1").label("quiet", "yes").build());

        assertThat(scheduler.queue().counts().unschedulable()).isZero();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aBindingComesToNothingAlthoughAPluginFailsToTakeItsReservationBack(Throwable fault) {
        Scheduler scheduler = scheduler(Point.UNRESERVE, fault);
        scheduler.scheduleNext();
        Pod pod = binding().pod();

        scheduler.handle(new CommandResult.NotBound(pod, "n1", CommandResult.BindFailure.FAILED, "no"));

        assertThat(told).hasSize(1);
        assertThat(scheduler.onTheirWay()).isEmpty();
        assertThat(scheduler.cluster().pods().count()).isZero();
    }

    /** Where the binding is carried out, on another thread. */
    @ParameterizedTest
    @MethodSource("faults")
    void whoBindsIsToldOfThePluginAndThePoint(Throwable fault) {
        String why = fault.equals(NO_LUCK) ? "no luck" : fault.toString();

        assertThat(begun(Point.PRE_BIND, fault).before())
                .isEqualTo(Status.error("running PreBind plugin \"Fragile\": " + why));
        assertThat(told).hasSize(1);
        assertThatThrownBy(begun(Point.BIND, fault)::bind)
                .isInstanceOf(PluginFailure.class)
                .hasMessage("running Bind plugin \"Fragile\": " + why);
        assertThat(told).hasSize(1);
        assertThatThrownBy(begun(Point.POST_BIND, fault)::after)
                .isInstanceOf(PluginFailure.class)
                .hasMessage("running PostBind plugin \"Fragile\": " + why)
                .hasStackTraceContaining(fault.toString());
    }

    @ParameterizedTest
    @EnumSource(names = {"PRE_FILTER", "FILTER", "PRE_SCORE", "SCORE", "RESERVE", "PERMIT", "PRE_BIND_PRE_FLIGHT"})
    void noPluginIsBlamedWhereTheJvmFails(Point point) {
        Error outOfMemory = new OutOfMemoryError();

        assertThatThrownBy(scheduler(point, outOfMemory)::scheduleNext).isSameAs(outOfMemory);
        assertThat(told).isEmpty();
    }

    @Test
    void norOffTheCycle() {
        Error outOfMemory = new OutOfMemoryError();
        Scheduler scheduler = scheduler(Point.HINT, outOfMemory);
        scheduler.scheduleNext();
        Node relabelled = NodeBuilder.node("n1").label("quiet", "yes").build();

        assertThatThrownBy(() -> put(scheduler, relabelled)).isSameAs(outOfMemory);
        assertThatThrownBy(() -> scheduler(Point.PRE_ENQUEUE, outOfMemory)).isSameAs(outOfMemory);
        assertThatThrownBy(begun(Point.PRE_BIND, outOfMemory)::before).isSameAs(outOfMemory);
        assertThatThrownBy(begun(Point.BIND, outOfMemory)::bind).isSameAs(outOfMemory);
        assertThatThrownBy(begun(Point.POST_BIND, outOfMemory)::after).isSameAs(outOfMemory);
    }

    private Stream<Object> conditions() {
        return commands.stream()
                .filter(Command.PatchStatus.class::isInstance)
                .flatMap(command -> ((Command.PatchStatus) command).conditions().stream());
    }

    /** What is left to do for a pod that has its node. */
    private BindingSteps begun(Point point, Throwable fault) {
        scheduler(point, fault).scheduleNext();
        return binding().steps();
    }

    private Command.Bind binding() {
        return (Command.Bind) commands.getLast();
    }

    private Scheduler scheduler(Point point, Throwable fault) {
        return scheduler(new FragilePlugin(point, fault));
    }

    /** Two nodes, and a pod that waits for one. */
    private Scheduler scheduler(FragilePlugin plugin) {
        commands.clear();
        told.clear();
        PluginFactory fragile = PluginFactory.of(FragilePlugin.NAME, FragilePlugin.class, context -> plugin);
        Scheduler scheduler = new Scheduler(
                OneProfile.only(FragilePlugin.NAME),
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
                () -> 0);
        scheduler.handle(new Relist.Began("Node"));
        put(scheduler, NodeBuilder.node("n1").build());
        put(scheduler, NodeBuilder.node("n2").build());
        scheduler.handle(new Relist.Ended("Node"));
        put(scheduler, PodBuilder.pod("p").uid("p-1").build());
        return scheduler;
    }

    private static void put(Scheduler scheduler, KubernetesObject object) {
        scheduler.handle(new ClusterEvent.Put(object));
    }
}
