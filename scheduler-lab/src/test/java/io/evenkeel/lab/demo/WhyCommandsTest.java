package io.evenkeel.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.lab.demo.Page.Palette;
import io.evenkeel.lab.demo.Scene.Command;
import io.evenkeel.lab.demo.Scene.Progress;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pod waits; the short answer names the cause in its first sentence, and a command; it is typed, and the pod gets its node. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WhyCommandsTest {
    private static final String ZONES = """
            topologySpreadConstraints:
            - maxSkew: 1
              topologyKey: topology.kubernetes.io/zone
              whenUnsatisfiable: DoNotSchedule
              labelSelector: {matchLabels: {app: web}}
            """;

    private Stage stage;

    @BeforeAll
    void build() throws IOException {
        stage = new Stage(Duration.ofMinutes(10));
    }

    @AfterAll
    void close() {
        stage.close();
    }

    /** Each on two nodes of 4 cpus in two zones. */
    enum Cause {
        CORDON("were unschedulable", "kubectl uncordon node2", workload("Deployment", 2, ZONES)) {
            @Override
            void prepare(Scene scene) throws InterruptedException {
                scene.cordon("node2");
            }
        },
        TAINT("had untolerated taint", "kubectl patch deployment/web", workload("Deployment", 2, ZONES)) {
            @Override
            void prepare(Scene scene) throws InterruptedException {
                scene.taint("node2", "dedicated", "it's gold");
            }
        },
        TAINT_OF_A_POD("had untolerated taint", "kubectl patch pod web", pod("nodeSelector: {zone: zone-b}\n")) {
            @Override
            void prepare(Scene scene) throws InterruptedException {
                labelNodes(scene);
                scene.taint("node2", "dedicated", "gold");
            }
        },
        REQUEST("Insufficient cpu", "kubectl set resources deployment/web", workload("Deployment", 1, "", "6")),
        REQUEST_OF_A_POD("Insufficient cpu", "kubectl get pod web", pod("", "6")),
        SELECTOR(
                "didn't match Pod's node affinity/selector",
                "kubectl get pod web",
                pod("nodeSelector: {zone: elsewhere}\n")) {
            @Override
            void prepare(Scene scene) {
                labelNodes(scene);
            }
        },
        AFFINITY("didn't match Pod's node affinity/selector", "kubectl label node node1 disk=ssd", pod("""
                affinity:
                  nodeAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      nodeSelectorTerms:
                      - matchExpressions: [{key: disk, operator: In, values: [ssd]}]
                """)),
        ANTI_AFFINITY("didn't match pod anti-affinity rules", "kubectl get pod web", pod("""
                affinity:
                  podAntiAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                    - topologyKey: topology.kubernetes.io/zone
                      labelSelector: {matchLabels: {app: web}}
                """)) {
            @Override
            String nodes() {
                return "zone-a: node1[web-1] | zone-b: node2[web-2]";
            }
        },
        TAINT_OF_A_REPLICA_SET(
                "had untolerated taint", "kubectl patch replicaset/web", workload("ReplicaSet", 2, ZONES)) {
            @Override
            void prepare(Scene scene) throws InterruptedException {
                scene.taint("node2", "dedicated", "gold");
            }
        },
        MIN_DOMAINS(
                "didn't match pod topology spread",
                "kubectl patch statefulset/web",
                workload("StatefulSet", 4, ZONES + """
                  minDomains: 3
                """)),
        CLAIM("persistentvolumeclaim \"data\" not found", "echo '{", pod("""
                volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
                """)) {
            @Override
            void prepare(Scene scene) {
                scene.user().create("", """
                        apiVersion: storage.k8s.io/v1
                        kind: StorageClass
                        metadata: {name: late}
                        provisioner: hollow.evenkeel.io/volumes
                        volumeBindingMode: WaitForFirstConsumer
                        """);
            }
        },
        NO_LABEL(
                "didn't match pod topology spread constraints (missing required label)",
                "kubectl label node",
                pod("""
                topologySpreadConstraints:
                - maxSkew: 1
                  topologyKey: rack
                  whenUnsatisfiable: DoNotSchedule
                  labelSelector: {matchLabels: {app: web}}
                """));

        private final String sentence;
        private final String command;
        private final String manifest;

        Cause(String sentence, String command, String manifest) {
            this.sentence = sentence;
            this.command = command;
            this.manifest = manifest;
        }

        String nodes() {
            return "zone-a: node1[] | zone-b: node2[]";
        }

        void prepare(Scene scene) throws InterruptedException {}

        private static void labelNodes(Scene scene) {
            for (String zone : List.of("node1 zone-a", "node2 zone-b")) {
                String[] node = zone.split(" ", -1);
                scene.user().patch(ResourceTable.NODES, "", node[0], """
                    {"metadata":{"labels":{"zone":"%s"}}}""".formatted(node[1]));
            }
        }

        private static String pod(String point) {
            return pod(point, "100m");
        }

        private static String pod(String point, String cpu) {
            return """
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: web, labels: {app: web}}
                    spec:
                    """ + spec(point, cpu).indent(2);
        }

        private static String workload(String kind, int replicas, String point) {
            return workload(kind, replicas, point, "100m");
        }

        private static String workload(String kind, int replicas, String point, String cpu) {
            return """
                    apiVersion: apps/v1
                    kind: %s
                    metadata: {name: web}
                    spec:
                      replicas: %d
                      selector: {matchLabels: {app: web}}
                      template:
                        metadata: {labels: {app: web}}
                        spec:
                    """.formatted(kind, replicas) + spec(point, cpu).indent(6);
        }

        private static String spec(String point, String cpu) {
            return point + """
                    containers:
                    - name: main
                      image: registry.k8s.io/pause:3.10
                      resources: {requests: {cpu: %s}}
                    """.formatted(cpu);
        }
    }

    @Rotated(3)
    @ParameterizedTest
    @EnumSource
    void theCommandHelps(Cause cause) throws Exception {
        Page page = new Page(new PrintWriter(new StringWriter()), Palette.PLAIN, 80);
        String namespace = cause.name().toLowerCase(Locale.ROOT).replace('_', '-');
        Scene scene = Scene.inNew(namespace, stage, new Progress(page));
        try {
            play(cause, scene);
        } finally {
            scene.strike();
        }
    }

    private void play(Cause cause, Scene scene) throws Exception {
        scene.draw(cause.nodes());
        cause.prepare(scene);
        scene.user().create(scene.namespace(), cause.manifest);
        Cluster waiting = scene.await(
                "one that waits",
                cluster -> cluster.waiting().size() == 1
                        && cluster.waiting().stream().allMatch(Cluster::isRefused));

        String answer = scene.text(
                Command.of(
                        "--kubeconfig",
                        "why",
                        "pod",
                        scene.namespace() + "/" + waiting.waiting().getFirst().name()),
                80);

        List<String> lines = answer.lines().toList();
        assertThat(lines).as(answer).hasSizeLessThanOrEqualTo(8);
        assertThat(answer.replaceAll("\\s+", " ")).contains(cause.sentence);
        String command = lines.stream()
                .map(String::strip)
                .filter(line -> line.startsWith(cause.command))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + cause.command + ": " + answer));
        new Kubectl(stage).type(command);
        scene.await(
                "its node, by " + command,
                cluster -> !cluster.pods().isEmpty() && cluster.waiting().isEmpty());
    }
}
