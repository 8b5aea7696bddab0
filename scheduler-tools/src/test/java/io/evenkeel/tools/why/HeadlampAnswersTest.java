package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.tools.observe.WorkloadTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The answers that the tests of the Headlamp plugin are given are those of this API. With {@code -Devenkeel.headlamp.answers=write} it
 * writes them anew.
 */
class HeadlampAnswersTest {
    private static final Path ANSWERS = Path.of("..", "headlamp-plugin", "src", "answers");
    private static final Gson PRETTY =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
    private static final String ELSEWHERE = pod("elsewhere", "", "100m", "").replace("default-scheduler", "other");

    private final CopiedCluster cluster = new CopiedCluster();
    private boolean isSynced = true;
    private final PlacementApi api = new PlacementApi(
            new CopyAnswers(cluster.copy, () -> isSynced),
            WorkloadTable.spreads(UsualProfiles.CONFIGURATION),
            HeadlampAnswersTest::queued,
            new PodsAtServer(new ScriptedTransport(call -> call.path().endsWith("/elsewhere")
                    ? Answers.of(200, ELSEWHERE)
                    : Answers.of(404, "{\"kind\":\"Status\",\"details\":{\"kind\":\"pods\"},\"code\":404}"))),
            () -> Instant.parse("2026-11-28T10:00:00Z"));
    private final Thread turns = cluster.turns();

    /** Of three zones the last is full. Two pods of web are in each of the others, so its fifth waits, and big is too big. */
    @BeforeEach
    void fill() {
        for (String zone : List.of("a", "b", "c")) {
            put("""
                    {"kind":"Node","apiVersion":"v1","metadata":{"name":"node-%1$s","labels":{
                     "topology.kubernetes.io/zone":"zone-%1$s","kubernetes.io/hostname":"node-%1$s"}},
                     "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}
                    """.formatted(zone));
        }
        put("""
                {"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"web-1","namespace":"shop","uid":"web-1",
                 "ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"d","controller":true}]},
                 "spec":{"replicas":5,"selector":{}}}
                """);
        put(pod("fills", "node-c", "4", ""));
        for (int i = 0; i < 5; i++) {
            put(pod("web-1-" + i, i < 4 ? "node-" + "aabb".charAt(i) : "", "500m", """
                    "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"topology.kubernetes.io/zone",
                     "whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"web-1"}}}],"""));
        }
        put(pod("big", "", "6", ""));
        put(pod("held", "", "1", "\"schedulingGates\":[{\"name\":\"example.com/review\"}],"));
        put(pod("decided", "", "1", ""));
        turns.start();
    }

    private static String pod(String name, String node, String cpu, String more) {
        boolean isOwned = name.startsWith("web-1-");
        return """
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"shop","uid":"%s"%s},"spec":{%s
                 "schedulerName":"default-scheduler","nodeName":"%s",
                 "containers":[{"name":"main","image":"i","resources":{"requests":{"cpu":"%s"}}}]}}
                """.formatted(
                        name,
                        name,
                        isOwned
                                ? ",\"labels\":{\"app\":\"web-1\"},\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\","
                                        + "\"name\":\"web-1\",\"uid\":\"web-1\",\"controller\":true}]"
                                : "",
                        more,
                        node,
                        cpu);
    }

    private void put(String object) {
        cluster.put(new ObjectReader().read(object));
    }

    private static QueueKnowledge queued(String key) {
        KubernetesObject decided = new ObjectReader().read(pod("decided", "", "1", ""));
        return new QueueKnowledge(
                key.equals("shop/web-1-4")
                        ? Optional.of(new QueuedPod(
                                "unschedulable", 3, Duration.ofSeconds(12), Optional.of(Duration.ofMinutes(4)), ""))
                        : Optional.empty(),
                List.of(new OnItsWay((Pod) decided, "node-a", "WRITE", 0)));
    }

    @AfterEach
    void stop() throws InterruptedException {
        turns.interrupt();
        turns.join();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            waits,      pods/web-1-4/placement
            inPlace,    pods/fills/placement
            misplaced,  pods/web-1-0/placement
            held,       pods/held/placement
            onItsWay,   pods/decided/placement
            unattended, pods/elsewhere/placement
            notFound,   pods/none/placement
            notReady,   pods/web-1-4/placement
            placements, placements
            spreads,    spreads
            """)
    void areThoseOfTheApi(String name, String path) throws IOException {
        isSynced = !name.equals("notReady");
        Reply reply = (Reply)
                api.answer(new Request("GET", PlacementApi.NAMESPACES + "shop/" + path, Map.of(), new Headers()));
        String answer = PRETTY.toJson(JsonParser.parseString(new String(reply.body(), StandardCharsets.UTF_8))) + "\n";
        Path file = ANSWERS.resolve(name + ".json");
        if (System.getProperty("evenkeel.headlamp.answers", "").equals("write")) {
            Files.createDirectories(ANSWERS);
            Files.writeString(file, answer);
        }

        assertThat(file)
                .as("written anew with -Devenkeel.headlamp.answers=write")
                .content()
                .isEqualTo(answer);
    }
}
