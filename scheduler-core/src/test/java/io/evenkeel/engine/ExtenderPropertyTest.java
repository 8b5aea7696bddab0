package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.config.Extender;
import io.evenkeel.engine.Command.AskOfNodes;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever happens while extenders are asked: pods come and go, nodes change, answers are good, bad or late. */
class ExtenderPropertyTest {
    private static final Extender OF_GPUS = GpuExtender.advising("");

    private final PlayedScheduler test =
            new PlayedScheduler(configured -> configured.extenders(List.of(OF_GPUS))).withNodes("n0", "n1", "n2");
    private final List<Pod> pods = new ArrayList<>();
    /** By UID, the nodes that the last answer has left. */
    private final Map<String, Set<String>> left = new HashMap<>();

    private Optional<AskOfNodes> question = Optional.empty();
    private int read;
    private double now;

    static LongStream seeds() {
        return Rotation.seeds(100);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void podsGoWhereExtendersLeaveThemAndOthersDoNotWait(long seed) {
        Random random = new Random(seed);
        test.plugin.filter = node -> node.podCount() < 3 ? Status.SUCCESS : Status.unschedulable("full");
        for (int step = 0; step < 200; step++) {
            act(random, step);
            test.schedule();
            readCommands();
            nobodyWaitsWhoNeedNot();
            noNodeIsTooFull();
            assertThat(ClusterAudit.differences(test.scheduler.cluster())).isEmpty();
        }
        settle();
        assertThat(test.scheduler.queue().view())
                .noneMatch(view -> view.state() == QueueState.ACTIVE || view.state() == QueueState.IN_FLIGHT);
    }

    private void act(Random random, int step) {
        switch (random.nextInt(8)) {
            case 0, 1 -> add(random.nextBoolean(), random.nextInt(3), step);
            case 2 -> {
                if (!pods.isEmpty()) {
                    test.remove(pods.remove(random.nextInt(pods.size())));
                }
            }
            case 3 ->
                test.put(NodeBuilder.node("n" + random.nextInt(6))
                        .label("step", "s" + step)
                        .build());
            case 4 -> {
                now += random.nextInt(4);
                test.is(now);
                test.scheduler.tick();
            }
            default -> answer(random);
        }
    }

    private void add(boolean ofGpus, int priority, int step) {
        PodBuilder pod = PodBuilder.from(ScriptedPlugin.pod("p" + step)).priority(priority);
        pods.add(ofGpus ? pod.container(GpuExtender.GPU, "1").build() : pod.build());
        test.put(pods.getLast());
    }

    private void answer(Random random) {
        question.ifPresent(asked -> {
            question = Optional.empty();
            if (random.nextInt(4) == 0) {
                give(asked, new Answer.Failed("down"));
                return;
            }
            Set<String> some = asked.nodes().stream()
                    .map(Node::name)
                    .filter(_ -> random.nextInt(3) > 0)
                    .collect(Collectors.toSet());
            left.put(asked.pod().meta().uid(), some);
            Map<String, Long> scores =
                    some.stream().collect(Collectors.toMap(name -> name, _ -> (long) random.nextInt(10)));
            give(asked, new Answer.Advised(new ExtenderAdvice(some, Map.of(), scores)));
        });
    }

    private void give(AskOfNodes asked, Answer answer) {
        test.scheduler.handle(new SchedulerEvent.ExtendersAnswered(asked.pod(), answer));
    }

    private void readCommands() {
        for (; read < test.commands.size(); read++) {
            switch (test.commands.get(read)) {
                case AskOfNodes asked -> {
                    assertThat(question).as("questions at a time").isEmpty();
                    question = Optional.of(asked);
                }
                case Command.Bind bind -> {
                    Pod pod = bind.pod();
                    if (OF_GPUS.isInterestedIn(pod)) {
                        assertThat(left.remove(pod.meta().uid()))
                                .as("nodes left for " + pod.name())
                                .contains(bind.node());
                    }
                    test.bound(pod, bind.node());
                    test.put(PodBuilder.from(pod).nodeName(bind.node()).build());
                }
                default -> {}
            }
        }
    }

    private void nobodyWaitsWhoNeedNot() {
        assertThat(test.scheduler.queue().view())
                .filteredOn(view -> view.state() == QueueState.ACTIVE)
                .allMatch(view -> view.needsExtenders() && question.isPresent());
    }

    private void noNodeIsTooFull() {
        NodeTable nodes = test.scheduler.cluster().nodes();
        for (int node = nodes.present().first();
                node >= 0;
                node = nodes.present().next(node + 1)) {
            assertThat(nodes.podCount(node)).isLessThanOrEqualTo(3);
        }
    }

    /** The extenders answer all that is asked. */
    private void settle() {
        while (question.isPresent()) {
            AskOfNodes asked = question.get();
            question = Optional.empty();
            left.put(
                    asked.pod().meta().uid(),
                    asked.nodes().stream().map(Node::name).collect(Collectors.toSet()));
            give(
                    asked,
                    new Answer.Advised(
                            new ExtenderAdvice(left.get(asked.pod().meta().uid()), Map.of(), Map.of())));
            test.schedule();
            readCommands();
        }
    }
}
