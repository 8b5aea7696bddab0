package io.evenkeel.app.record;

import com.google.gson.JsonObject;
import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.app.record.RecordFiles.Disk;
import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * A recorded scheduler with all that it can be asked to regard: groups, volumes, extenders, gates, budgets. Everything is random,
 * also when the answers come.
 */
final class VariedRun {
    private static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("varied", """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - schedulerName: default-scheduler
          plugins:
            multiPoint:
              enabled:
              - name: GangScheduling
              - name: Coscheduling
              - name: GroupPlacement
        extenders:
        - urlPrefix: http://gpus
          filterVerb: filter
          prioritizeVerb: prioritize
          preemptVerb: preempt
          bindVerb: bind
          weight: 2
          nodeCacheCapable: true
          managedResources:
          - name: example.com/gpu
        """);

    final Set<Class<?>> seen = new HashSet<>();
    private final SplittableRandom random;
    private final RecordedScheduler recorded;
    private final VariedObjects objects;
    private final VariedServer server;
    private Optional<Command.AskExtenders> question = Optional.empty();

    VariedRun(long seed, Path directory) {
        random = new SplittableRandom(seed);
        objects = new VariedObjects(random);
        recorded = new RecordedScheduler(
                "varied" + seed,
                random,
                new RecordOptions(directory, RecordOptions.USUAL_LIMIT, "test"),
                Disk.REAL,
                RecordedScheduler.MANY,
                RecordedScheduler.SEED,
                CONFIGURATION,
                this::take);
        server = new VariedServer(
                random,
                new ObjectReader(Kinds.IN_TREE.with(recorded.scheduler.watchedKinds())),
                objects,
                recorded.mail);
    }

    /** The recorder is not told of these events. */
    VariedRun leavingOut(Predicate<SchedulerEvent> events) {
        recorded.leaveOut(events);
        return this;
    }

    void play(int steps) {
        list();
        for (int step = 0; step < steps; step++) {
            recorded.pass(random.nextLong(300_000_000L));
            happen();
            recorded.mail.forEach(event -> seen.add(event.getClass()));
            recorded.turn();
        }
        recorded.end();
    }

    /** What a checkpoint would hold now, pods aside. */
    List<KubernetesObject> told() {
        return withoutPods(recorded.told.all());
    }

    /** What the engine knows, pods aside: those it forgets where a binding is said to have found none. */
    List<KubernetesObject> known() {
        return withoutPods(recorded.scheduler.known());
    }

    private static List<KubernetesObject> withoutPods(List<KubernetesObject> objects) {
        return objects.stream().filter(object -> !(object instanceof Pod)).toList();
    }

    private void list() {
        recorded.scheduler.watchedKinds().forEach(kind -> recorded.mail.add(new Relist.Began(kind.name())));
        for (int i = 0; i < VariedObjects.NODES; i++) {
            server.put(objects.node(i));
            server.put(objects.csiNode(i));
        }
        server.put(objects.driver());
        List.of("made", "local", "now").forEach(name -> server.put(objects.storageClass(name)));
        recorded.scheduler.watchedKinds().forEach(kind -> recorded.mail.add(new Relist.Ended(kind.name())));
        while (!recorded.mail.isEmpty()) {
            recorded.turn();
        }
    }

    private void happen() {
        switch (random.nextInt(24)) {
            case 0, 1, 2, 3, 4, 5 -> server.put(objects.pod());
            case 6, 7, 8, 9, 10 -> server.put(objects.other());
            case 11 -> server.put(objects.node(random.nextInt(VariedObjects.NODES)));
            case 12 -> server.removeAny();
            case 13, 14 -> server.any("Pod").ifPresent(server::remove);
            case 15 -> server.relist();
            case 16 -> server.any("Pod").ifPresent(this::change);
            case 17 -> server.provision();
            case 18 -> server.bindClaims();
            case 19 -> recorded.pass(random.nextInt(4) == 0 ? 60_000_000_000L : 0);
            case 20 -> server.any("Pod").ifPresent(this::misread);
            default -> answer();
        }
    }

    /** Its gates go, or a label changes. */
    private void change(JsonObject pod) {
        JsonObject changed = pod.deepCopy();
        JsonObject spec = changed.getAsJsonObject("spec");
        if (spec.remove("schedulingGates") == null) {
            changed.getAsJsonObject("metadata").getAsJsonObject("labels").addProperty("app", "app" + random.nextInt(3));
        }
        server.put(changed);
    }

    private void misread(JsonObject pod) {
        JsonObject meta = pod.getAsJsonObject("metadata");
        recorded.mail.add(new SchedulerEvent.UnreadablePod(
                PodBuilder.pod(meta.get("name").getAsString())
                        .uid(meta.get("uid").getAsString())
                        .schedulerName("default-scheduler")
                        .build(),
                "spec.priority: not a number"));
    }

    private void take(Command command) {
        seen.add(command.getClass());
        if (command instanceof Command.AskExtenders asked) {
            question = Optional.of(asked);
        }
        server.take(command);
    }

    private void answer() {
        question.ifPresent(asked -> {
            question = Optional.empty();
            Answer answer = random.nextInt(5) == 0 ? new Answer.Failed("timeout") : answer(asked);
            seen.add(answer.getClass());
            recorded.mail.add(new SchedulerEvent.ExtendersAnswered(asked.pod(), answer));
        });
    }

    private Answer answer(Command.AskExtenders asked) {
        return switch (asked) {
            case Command.AskOfNodes(var _, List<Node> nodes) -> new Answer.Advised(advice(nodes));
            case Command.AskOfVictims(var _, List<PreemptionCandidate> candidates, Map<String, List<Pod>> pods) ->
                new Answer.VictimsChosen(choose(candidates, pods));
        };
    }

    private ExtenderAdvice advice(List<Node> nodes) {
        Set<String> left = new HashSet<>();
        Map<String, Status> turnedAway = new HashMap<>();
        Map<String, Long> scores = new HashMap<>();
        for (Node node : nodes) {
            switch (random.nextInt(5)) {
                case 0 -> turnedAway.put(node.name(), Status.unschedulable("no free GPU", "of any sort"));
                case 1 -> turnedAway.put(node.name(), Status.unresolvable("no GPU"));
                default -> {
                    left.add(node.name());
                    scores.put(node.name(), random.nextLong(10));
                }
            }
        }
        return new ExtenderAdvice(left, turnedAway, scores);
    }

    /** Some of the candidates, of which some let others go. */
    private List<PreemptionCandidate> choose(List<PreemptionCandidate> candidates, Map<String, List<Pod>> pods) {
        List<PreemptionCandidate> left = new ArrayList<>();
        for (PreemptionCandidate candidate : candidates) {
            List<Pod> all = pods.getOrDefault(candidate.node(), List.of());
            switch (random.nextInt(4)) {
                case 0 -> {}
                case 1 -> left.add(new PreemptionCandidate(candidate.node(), all, random.nextInt(2)));
                default -> left.add(candidate);
            }
        }
        return left;
    }
}
