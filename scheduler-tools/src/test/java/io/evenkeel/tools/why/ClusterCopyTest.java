package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.BrokenIndex;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.testing.LogLines;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.why.ClusterCopy.FailedQuestions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterCopyTest {
    private static final String SCHEDULER = "default-scheduler";

    private static final ClusterIndex NO_INDEX = (_, _) -> {};

    private final CopiedCluster cluster = new CopiedCluster();

    @Test
    void answersAsThingsAreWhenItIsAsked() {
        cluster.put(node("n1", 2));
        cluster.put(pod("big", 4, ""));
        assertThat(said("default/big")).contains("waits").contains("Insufficient cpu");

        cluster.put(node("n2", 8));
        assertThat(said("default/big")).contains("now it would go to n2");

        cluster.put(pod("big", 4, "n2"));
        assertThat(said("default/big")).contains("is on node n2");
        assertThat(cluster.copies).isEqualTo(1);
    }

    /** The original sees the end of a listing take away what was not in it; the copy cannot, and is made anew. */
    @Test
    void knowsWhatAListingHasLeftOut() {
        cluster.put(node("n1", 2));
        cluster.put(node("n2", 8));
        cluster.put(pod("big", 4, ""));
        assertThat(said("default/big")).contains("would go to n2");

        cluster.tell(new Relist.Began("Node"));
        cluster.put(node("n1", 2));
        cluster.tell(new Relist.Ended("Node"));
        cluster.pass(1);

        assertThat(said("default/big")).contains("0/1 nodes are available");
    }

    @Test
    void isLetGoWhenNobodyAsksForAWhile() {
        cluster.put(pod("p", 1, ""));
        said("default/p");
        cluster.pass(299);
        cluster.copy.turn(0);
        said("default/p");
        assertThat(cluster.copies).isEqualTo(1);

        cluster.pass(301);
        cluster.copy.turn(0);
        said("default/p");
        assertThat(cluster.copies).isEqualTo(2);
    }

    @Test
    void aFaultIsTheAnswerOfWhoeverAskedAndNobodyElses() {
        cluster.put(pod("p", 1, ""));

        assertThatThrownBy(() -> cluster.answer((_, _) -> {
                    throw new IllegalArgumentException("broken");
                }))
                .hasRootCauseMessage("broken");

        assertThat(said("default/p")).contains("default/p waits");
        assertThat(cluster.copies).isEqualTo(1);
    }

    @Test
    void anErrorInAPluginIsNoMoreThanThat() {
        assertThatThrownBy(() -> cluster.answer((_, _) -> {
                    throw new NoClassDefFoundError("of a plugin");
                }))
                .hasRootCauseMessage("of a plugin");

        cluster.put(pod("p", 1, ""));
        assertThat(said("default/p")).contains("default/p waits");
        assertThat(cluster.copies).isEqualTo(1);
    }

    /** Some of what is counted knows of a change then and some does not. */
    @Test
    void aCopyThatAnIndexHasBrokenAnswersNothingMore() {
        cluster.put(pod("p", 1, ""));

        assertThatThrownBy(() -> cluster.answer((_, _) -> {
                    try (AutoCloseable _ = () -> {
                        throw new BrokenIndex(NO_INDEX, new IllegalStateException("bug"));
                    }) {
                        throw new IllegalArgumentException("first");
                    } catch (Exception first) {
                        throw new IllegalStateException(first);
                    }
                }))
                .hasRootCauseMessage("first");
        cluster.pass(1);

        assertThat(said("default/p")).contains("default/p waits");
        assertThat(cluster.copies).isEqualTo(2);
    }

    @Test
    void aFaultIsLoggedOnceWithItsPodAndThenOnceAMinute() {
        try (LogLines log = new LogLines(FailedQuestions.class)) {
            for (int second = 0; second < 130; second++) {
                CompletableFuture<Object> reply = cluster.copy.ask(Requester.OPERATOR, "shop/cart", (_, _) -> {
                    throw new IllegalArgumentException("broken");
                });
                cluster.copy.turn(0);
                assertThat(reply).isCompletedExceptionally();
                cluster.pass(1);
            }

            assertThat(log.lines())
                    .containsExactly(
                            "ERROR Question about a pod failed [pod=\"shop/cart\"]",
                            "ERROR Question about a pod failed [pod=\"shop/cart\","
                                    + " why=\"java.lang.IllegalArgumentException: broken\", times=\"60\"]",
                            "ERROR Question about a pod failed [pod=\"shop/cart\","
                                    + " why=\"java.lang.IllegalArgumentException: broken\", times=\"60\"]");
            assertThat(log.events().getFirst().getThrowableProxy()).isNotNull();
        }
    }

    @Test
    void whatNobodyWaitsForAnyMoreIsNotAnswered() {
        cluster.put(node("n1", 2));
        cluster.put(pod("big", 4, ""));
        cluster.copy
                .ask(Requester.OPERATOR, "default/p", (_, _) -> fail("asked in vain"))
                .cancel(false);
        cluster.copy.turn(0);
        CompletableFuture<Object> gone = cluster.copy.ask(
                Requester.OPERATOR.whileAlso(() -> false), "default/p", (_, _) -> fail("asked by nobody"));
        cluster.copy.turn(0);
        assertThat(gone).isCancelled();
        assertThat(cluster.copies).isZero();

        AtomicInteger looks = new AtomicInteger();
        CompletableFuture<Optional<PodReport>> hasty = cluster.copy.ask(
                Requester.OPERATOR.whileAlso(() -> looks.incrementAndGet() < 4),
                "default/big",
                (copy, asker) -> copy.about("default/big", asker));
        cluster.copy.turn(0);
        assertThatThrownBy(hasty::join).hasCauseInstanceOf(CancelledQuestionException.class);
        assertThat(looks).hasValue(4);
        assertThat(said("default/big")).contains("Insufficient cpu");
        assertThat(cluster.copies).isEqualTo(1);
    }

    @Test
    void aCopyThatHasFallenFarBehindIsMadeAnewAndKeepsNothing() {
        cluster.put(node("n1", 2));
        cluster.put(pod("big", 4, ""));
        said("default/big");
        for (int i = 0; i <= 100_000; i++) {
            cluster.put(node("n1", 2 + i % 2));
        }
        cluster.put(node("n1", 8));
        cluster.pass(1);

        assertThat(said("default/big")).contains("would go to n1");
        assertThat(cluster.copies).isEqualTo(2);
    }

    /** Each listing breaks the copy: without pauses the engine would be asked for all objects at each question. */
    @Test
    void whereSomethingBreaksEachCopyThePausesBetweenThemGrow() {
        cluster.put(pod("p", 1, ""));
        List<Long> madeAt = new ArrayList<>();
        for (int second = 0; second < 600; second++) {
            int before = cluster.copies;
            cluster.tell(new Relist.Ended("Node"));
            CompletableFuture<String> reply = cluster.copy.ask(Requester.OPERATOR, "default/p", (_, _) -> "");
            cluster.copy.turn(0);
            if (cluster.copies > before) {
                madeAt.add(cluster.now / 1_000_000_000);
                assertThat(reply).isCompletedWithValue("");
            } else {
                assertThatThrownBy(reply::join).hasCauseInstanceOf(NoCopyException.class);
            }
            cluster.pass(1);
        }

        assertThat(madeAt.subList(0, 9)).containsExactly(0L, 1L, 3L, 7L, 15L, 31L, 63L, 123L, 183L);
        assertThat(madeAt).hasSize(15);

        cluster.pass(300);
        said("default/p");
        cluster.tell(new Relist.Ended("Node"));
        cluster.pass(1);
        assertThat(said("default/p")).contains("default/p waits");
    }

    @Test
    void whoAsksInAPauseIsToldHowLongItIs() {
        cluster.put(pod("p", 1, ""));
        said("default/p");
        cluster.tell(new Relist.Ended("Node"));
        cluster.pass(1);
        said("default/p");
        cluster.tell(new Relist.Ended("Node"));

        assertThatThrownBy(() -> said("default/p"))
                .cause()
                .isInstanceOfSatisfying(
                        NoCopyException.class,
                        notYet -> assertThat(notYet.seconds()).isEqualTo(2));
    }

    @Test
    void aCopyThatIsBrokenWhileItIsMadeAnswersNothing() {
        cluster.put(pod("p", 1, ""));
        cluster.whileCopied = () -> cluster.tell(new Relist.Ended("Node"));

        assertThatThrownBy(() -> said("default/p")).hasCauseInstanceOf(NoCopyException.class);
    }

    @Test
    void whoAsksTooMuchIsTurnedAwayAndNobodyElse() {
        List<CompletableFuture<String>> greedy = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            greedy.add(cluster.copy.ask(named("greedy"), "default/p", (_, _) -> "much"));
        }
        CompletableFuture<String> modest = cluster.copy.ask(named("modest"), "default/p", (_, _) -> "little");

        assertThat(greedy)
                .filteredOn(CompletableFuture::isCompletedExceptionally)
                .hasSize(12);
        assertThatThrownBy(() -> greedy.getLast().join()).hasCauseInstanceOf(TooManyQuestionsException.class);
        cluster.copy.turn(0);
        assertThat(modest).isNotDone();
        cluster.copy.turn(0);
        assertThat(modest).isCompletedWithValue("little");
        assertThat(greedy).filteredOn(reply -> !reply.isDone()).hasSize(7);
    }

    @Test
    void whatIsGivenUpLeavesItsRoomToTheNext() {
        for (int i = 0; i < 20; i++) {
            cluster.copy.ask(named("hasty"), "default/p", (_, _) -> "").cancel(false);
        }

        assertThat(cluster.copy.ask(named("hasty"), "default/p", (_, _) -> "")).isNotDone();
    }

    private static Requester named(String name) {
        return new Requester(name, _ -> true, () -> true);
    }

    /** Whatever happens in which order: the copy says what one says that is told of all there is now. */
    @Rotated(3)
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void saysWhatANewOneWouldSay(long seed) {
        Random random = new Random(seed);
        Map<String, KubernetesObject> there = new LinkedHashMap<>();
        for (int step = 0; step < 120; step++) {
            happen(random, there);
            if (random.nextInt(4) == 0) {
                ClusterQuestions anew = CopiedCluster.empty();
                anew.tell(List.copyOf(there.values()));
                there.values().stream()
                        .filter(Pod.class::isInstance)
                        .map(object -> ((Pod) object).key())
                        .forEach(key -> assertThat(said(key)).isEqualTo(text(anew.about(key, Requester.OPERATOR))));
            }
        }
        assertThat(cluster.copies).isEqualTo(1);
    }

    private void happen(Random random, Map<String, KubernetesObject> there) {
        boolean isNode = random.nextInt(3) == 0;
        String name = (isNode ? "n" : "p") + random.nextInt(isNode ? 4 : 8);
        Optional<KubernetesObject> before = Optional.ofNullable(there.get(name));
        if (before.isPresent() && random.nextInt(4) == 0) {
            cluster.remove(before.get());
            there.remove(name);
            return;
        }
        KubernetesObject after = isNode ? node(name, 1 + random.nextInt(6)) : changed(name, before, random);
        cluster.put(after);
        there.remove(name); // who is heard of again counts as the last to come, in preemption too
        there.put(name, after);
    }

    /** A pod never leaves its node, and never changes what it asks for. */
    private static Pod changed(String name, Optional<KubernetesObject> before, Random random) {
        if (before.isEmpty()) {
            return pod(name, 1 + random.nextInt(4), "");
        }
        Pod pod = (Pod) before.get();
        return pod.isPlaced()
                ? pod
                : PodBuilder.from(pod).nodeName("n" + random.nextInt(4)).build();
    }

    private String said(String pod) {
        return text(cluster.answer((copy, asker) -> copy.about(pod, asker)));
    }

    private static String text(Optional<PodReport> report) {
        return report.orElseThrow().text(Layout.of(1_000));
    }

    private static KubernetesObject node(String name, int cpu) {
        return NodeBuilder.node(name)
                .allocatable("cpu", String.valueOf(cpu), "memory", "8Gi", "pods", "10")
                .build();
    }

    private static Pod pod(String name, int cpu, String node) {
        return PodBuilder.pod(name)
                .uid(name)
                .schedulerName(SCHEDULER)
                .container(ContainerBuilder.container("c")
                        .requests("cpu", String.valueOf(cpu))
                        .build())
                .nodeName(node)
                .build();
    }
}
