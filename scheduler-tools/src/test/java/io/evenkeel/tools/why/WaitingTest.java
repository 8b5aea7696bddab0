package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.engine.PodBinding;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.why.ClusterQuestions.Attendance;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.PodReport.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Pods that wait for every reason there is, on a live scheduler: what is said of each never contradicts what the cluster shows
 * without saying so, whoever is asked.
 */
class WaitingTest {
    private static final int SEEDS = WaitingKind.values().length;
    private static final int LONG = 400;
    /** No reason has so few letters. */
    private static final int SHORT = "0/1 nodes are available: ".length();

    /** Where plugins may turn a pod away, or let it wait. */
    private static final Set<ExtensionPoint> TURN_AWAY = EnumSet.of(
            ExtensionPoint.PRE_ENQUEUE, ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER, ExtensionPoint.PERMIT);

    /** A pod that names its node waits for nobody, and devices and features of nodes are not looked at. */
    private static final Set<String> NEVER = Set.of("NodeName", "DynamicResources", "NodeDeclaredFeatures");

    private static final Set<String> NOBODYS = Set.of("nobody", "default-scheduler");

    private final Set<String> reached = new TreeSet<>();

    @Rotated(3)
    @Test
    void whatIsSaidOfAPodThatWaitsNeverContradictsItsCondition() throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            WaitingCluster cluster = new WaitingCluster();
            for (int node = 0; node <= random.nextInt(3); node++) {
                WaitingKind.node(cluster, "n" + node, "");
            }
            List<WaitingKind> others = new ArrayList<>(List.of(WaitingKind.values()));
            WaitingKind certain = others.remove(seed % others.size());
            Collections.shuffle(others, random);
            others.subList(0, random.nextInt(6)).forEach(kind -> kind.arrange(cluster, name(kind)));
            certain.arrange(cluster, name(certain));
            cluster.pass(random.nextInt(4) == 0 ? LONG : 1 + random.nextInt(12));
            assertThat(cluster.pods())
                    .as(seed + ": " + certain)
                    .anyMatch(pod -> pod.name().startsWith(name(certain)) && !pod.isPlaced());
            askAll(cluster, seed + ", settled");
            for (int change = 0; change < 3; change++) {
                change(cluster, random);
                cluster.deliver();
                askAll(cluster, seed + ", changed " + change);
            }
        }
        assertThat(reached).containsAll(whatThereIs());
    }

    private static String name(WaitingKind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A node or a pod goes or comes, and the scheduler has not had a turn since. */
    private static void change(WaitingCluster cluster, Random random) {
        List<KubernetesObject> all = cluster.all();
        switch (random.nextInt(3)) {
            case 0 -> WaitingKind.node(cluster, "new" + random.nextInt(3), "");
            case 1 ->
                all.stream().skip(random.nextInt(all.size() + 1)).findFirst().ifPresent(cluster::remove);
            default ->
                all.stream()
                        .filter(object -> object instanceof Node || (object instanceof Pod pod && pod.isPlaced()))
                        .findFirst()
                        .ifPresent(cluster::remove);
        }
    }

    private void askAll(WaitingCluster cluster, String when) throws IOException {
        ClusterQuestions own =
                new ClusterQuestions(WaitingCluster.CONFIGURATION, WaitingCluster.PLUGINS, Judgement.OWN, (_, _) -> {});
        own.tell(cluster.scheduler.known());
        ClusterQuestions guessed = fromOutside(cluster);
        for (Pod pod : cluster.pods()) {
            Optional<QueueEntryView> queued = cluster.scheduler.queue().view(pod.key());
            queued.ifPresent(entry -> {
                reached.add(entry.state().name());
                reached.addAll(entry.rejectedBy());
            });
            Optional<PodReport> byOwn = own.about(pod.key(), cluster.onTheirWay(), Requester.OPERATOR);
            if (byOwn.isPresent()) {
                check(pod, byOwn.get(), when + ", by itself");
                checkQueue(queued, cluster.onTheirWay(), byOwn.get(), when);
            } else {
                assertThat(queued).as(pod.key()).isEmpty();
            }
            check(pod, guessed.about(pod.key(), Requester.OPERATOR).orElseThrow(), when + ", from outside");
        }
        for (PodReport report : guessed.allThatWait(Optional.empty(), Requester.OPERATOR)) {
            for (Pod pod : cluster.pods()) {
                if (pod.key().equals(report.pod()) || report.alike().contains(pod.key())) {
                    check(pod, report, when + ", all");
                }
            }
        }
    }

    private static ClusterQuestions fromOutside(WaitingCluster cluster) {
        ClusterQuestions guessed = new ClusterQuestions(
                UsualProfiles.OF_PODS_THAT_WAIT, WaitingCluster.PLUGINS, Judgement.GUESSED, (_, _) -> {});
        guessed.tell(cluster.all());
        guessed.tell(name -> name.equals("evenkeel") ? new Attendance.AtWork() : new Attendance.Others());
        return guessed;
    }

    /** Nothing but the claim tells so from outside, as where a driver makes no volume. */
    @Test
    void aPodWaitsForTheVolumeThatItsClaimIsToGet() throws IOException {
        WaitingCluster cluster = new WaitingCluster();
        WaitingKind.node(cluster, "n0", "");
        WaitingKind.LATE_CLAIM_WRITTEN.arrange(cluster, "db");
        cluster.pass(1);
        String said =
                "default/db is on its way to node n0, and waits for the volume of claim db, which csi.example.com is to"
                        + " make";

        ClusterQuestions guessed = fromOutside(cluster);

        assertThat(guessed.about("default/db", Requester.OPERATOR).orElseThrow().text(Layout.of(200)))
                .startsWith(said);
        assertThat(guessed.allThatWait(Optional.empty(), Requester.OPERATOR))
                .singleElement()
                .extracting(report -> report.text(Layout.of(200)))
                .asString()
                .startsWith(said);
    }

    @Test
    void podsThatWaitForADriverAreToldTogetherWhateverTheirNodesAndClasses() {
        WaitingCluster cluster = new WaitingCluster();
        for (String name : List.of("db-0", "db-1")) {
            WaitingKind.node(cluster, name, "");
            WaitingKind.LATE_CLAIM_WRITTEN.arrange(cluster, name);
            WaitingKind.pod(
                    cluster,
                    name,
                    "'fate':'written'",
                    "'nodeSelector':{'special':'%1$s'},'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'%1$s'}}],"
                            .formatted(name),
                    "");
        }
        cluster.pass(1);

        assertThat(fromOutside(cluster).allThatWait(Optional.empty(), Requester.OPERATOR))
                .singleElement()
                .extracting(report -> report.text(Layout.of(200)))
                .asString()
                .startsWith("default/db-0, default/db-1 wait, the first for the volume of claim db-0, which"
                        + " csi.example.com is to make\n  (the first is on its way to node db-0)");
    }

    private void check(Pod pod, PodReport report, String when) throws IOException {
        check(pod, report, false, when);
        check(pod, report, true, when + ", in short");
        assertThat(report.text(Layout.of(100)).lines()).hasSizeLessThanOrEqualTo(8);
    }

    private void check(Pod pod, PodReport report, boolean isShort, String when) {
        String text = (isShort ? report.text(Layout.of(100)) : report.wide(Layout.of(100))).replaceAll("\\s+", " ");
        String json = report.tree().json();
        String as = when + ": " + pod.key() + "\n" + pod.status().scheduled() + "\n" + text + "\n";
        reached.add(report.state().getClass().getSimpleName());
        assertThat(AnswerSchema.problems(json)).as(as + json).isEmpty();
        if (pod.isPlaced()) {
            assertThat(report.state()).as(as).isInstanceOf(State.InPlace.class);
            return;
        }
        assertThat(text).as(as).doesNotContain(" is on node ");
        if (pod.meta().terminating()) {
            assertThat(report.state()).as(as).isInstanceOf(State.Leaving.class);
            return;
        }
        if (NOBODYS.contains(pod.spec().schedulerName())) {
            assertThat(report.state()).as(as).isInstanceOf(State.Unattended.class);
        }
        if (!pod.spec().schedulingGates().isEmpty()) {
            assertThat(text).as(as).contains("held by SchedulingGates");
        }
        pod.status()
                .scheduled()
                .filter(condition -> condition.status().equals("False"))
                .ifPresent(condition -> {
                    reached.add(condition.reason());
                    if (report.state() instanceof State.OnItsWay) {
                        return; // an earlier attempt's
                    }
                    String shown = told(report.state())
                            .filter(said ->
                                    said.length() > SHORT && condition.message().startsWith(said))
                            .orElse(condition.message())
                            .replaceAll("\\s+", " ");
                    assertThat(text).as(as).contains(isShort ? beginning(shown) : shown);
                    assertThat(json.replace("\\\"", "\"").replaceAll("\\s+", " "))
                            .as(as)
                            .contains(shown);
                    if (text.contains("now it would go to")) {
                        assertThat(text).as(as).contains("though its condition says");
                    }
                });
    }

    /** A short answer cuts off what is long. */
    private static String beginning(String text) {
        return text.substring(0, Math.min(SHORT, text.length()));
    }

    /** Why it waits, in the words of its condition but for what preemption adds. */
    private static Optional<String> told(State state) {
        return state instanceof State.Unattended(var _, var judged) ? told(judged) : state.reason();
    }

    /** What a running Evenkeel says goes with what its queue knows. */
    private void checkQueue(
            Optional<QueueEntryView> queued, Collection<OnItsWay> onTheirWay, PodReport report, String when) {
        String as = when + ": " + report;
        onTheirWay.stream()
                .filter(each -> each.pod().key().equals(report.pod()))
                .findFirst()
                .ifPresent(each -> {
                    reached.add(each.waitingFor());
                    assertThat(report.state())
                            .as(as)
                            .isInstanceOfAny(State.OnItsWay.class, State.InPlace.class, State.Leaving.class);
                });
        queued.filter(entry -> entry.state() == QueueState.GATED)
                .ifPresent(
                        _ -> assertThat(report.state()).as(as).isInstanceOfAny(State.Held.class, State.Leaving.class));
    }

    /** All that a pod can wait for or be told by: what is new here has to be reached by a kind of waiting. */
    private static List<String> whatThereIs() {
        return Stream.of(
                        Arrays.stream(QueueState.values()).map(Enum::name),
                        Arrays.stream(PodBinding.Stage.values())
                                .filter(stage -> stage != PodBinding.Stage.NEXT_LOOKUP) // the server cannot be asked
                                .map(Enum::name),
                        Arrays.stream(State.class.getPermittedSubclasses()).map(Class::getSimpleName),
                        WaitingCluster.PLUGINS.extensionPoints().entrySet().stream()
                                .filter(plugin -> !Collections.disjoint(plugin.getValue(), TURN_AWAY))
                                .map(Map.Entry::getKey)
                                .filter(plugin -> !NEVER.contains(plugin)),
                        Stream.of("Unschedulable", "SchedulerError"))
                .flatMap(each -> each)
                .toList();
    }
}
