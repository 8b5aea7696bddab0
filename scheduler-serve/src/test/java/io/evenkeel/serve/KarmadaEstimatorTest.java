package io.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.why.Requester;
import io.evenkeel.tools.why.Workload;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.SchedulingOptions;
import io.evenkeel.whatif.Verdict.Placed;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import karmada.estimator.AssumedWorkload;
import karmada.estimator.Component;
import karmada.estimator.ComponentReplicaRequirements;
import karmada.estimator.MaxAvailableComponentSetsRequest;
import karmada.estimator.MaxAvailableComponentSetsResponse;
import karmada.estimator.MaxAvailableReplicasRequest;
import karmada.estimator.MaxAvailableReplicasResponse;
import karmada.estimator.NodeClaim;
import karmada.estimator.ObjectReference;
import karmada.estimator.ReplicaRequirements;
import karmada.estimator.UnschedulableReplicasRequest;
import karmada.estimator.UnschedulableReplicasResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Karmada's questions, with its messages, as its scheduler asks them. */
class KarmadaEstimatorTest {
    private static final ObjectReader READER = new ObjectReader(Kinds.IN_TREE);

    private final ClusterSnapshot cluster = snapshot();
    private List<Pod> waiting = List.of();
    private final WhatIfServer server = new WhatIfServer(
            new Asked(),
            new ScenarioQuestions(InTreePlugins.registry(), FeatureGates.DEFAULTS, WhatIfLimits.USUAL),
            WhatIfLimits.USUAL,
            new WhatIfMetrics());
    private Optional<ManagedChannel> channel = Optional.empty();

    private static ClusterSnapshot snapshot() {
        return new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());
    }

    /** The cluster, with pods that wait. */
    private final class Asked implements ClusterSource {
        private final ClusterSource fixed = new Fixed(cluster, KarmadaEstimatorTest::snapshot);

        @Override
        public <T> T ask(Requester asker, BiFunction<ClusterSnapshot, Requester, T> question) throws Exception {
            return fixed.ask(asker, question);
        }

        @Override
        public List<Pod> waiting(String user, Workload workload) {
            return workload.title().equals("Deployment shop/web") ? waiting : List.of();
        }

        @Override
        public ClusterSnapshot empty() {
            return fixed.empty();
        }
    }

    @BeforeEach
    void listen() throws IOException {
        InetSocketAddress address = server.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                AccessControl.OPEN_TO_ALL);
        channel = Optional.of(
                NettyChannelBuilder.forAddress(address).usePlaintext().build());
    }

    @AfterEach
    void close() {
        channel.ifPresent(ManagedChannel::shutdownNow);
        server.close();
    }

    private void node(String name, String labels, int cpus, String taints) {
        cluster.put(READER.read("""
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s", "labels": {%s}}, "spec": {"taints": [%s]},
                 "status": {"allocatable": {"cpu": "%d", "memory": "8Gi", "pods": "5"}}}
                """.formatted(name, labels, taints, cpus)));
    }

    private <Q extends Message, A extends Message> A ask(String method, Q request, A response) throws Exception {
        @SuppressWarnings("unchecked")
        Q form = (Q) request.getDefaultInstanceForType();
        return ClientCalls.blockingV2UnaryCall(
                channel.orElseThrow(),
                WhatIfMethods.method(KarmadaEstimator.SERVICE, method, MethodType.UNARY, form, response),
                CallOptions.DEFAULT,
                request);
    }

    private int replicas(MaxAvailableReplicasRequest request) throws Exception {
        return ask("MaxAvailableReplicas", request, MaxAvailableReplicasResponse.getDefaultInstance())
                .getMaxReplicas();
    }

    private interface Fields {
        void writeTo(CodedOutputStream out) throws IOException;
    }

    private static ByteString message(Fields fields) {
        ByteString.Output bytes = ByteString.newOutput();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            fields.writeTo(out);
            out.flush();
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return bytes.toByteString();
    }

    private static ByteString quantity(String text) {
        return message(out -> out.writeString(1, text));
    }

    /** A node selector with one expression. */
    private static ByteString zoneIn(String zone) {
        ByteString expression = message(out -> {
            out.writeString(1, "zone");
            out.writeString(2, "In");
            out.writeString(3, zone);
        });
        ByteString term = message(out -> out.writeBytes(1, expression));
        return message(out -> out.writeBytes(1, term));
    }

    private static ByteString tolerating(String key) {
        return message(out -> {
            out.writeString(1, key);
            out.writeString(2, "Exists");
        });
    }

    /** A replica in Karmada's words equals the same pod as JSON, one after the other, on whatever cluster. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void soManyReplicasFitAsPodsWould(long seed) throws Exception {
        Random random = new Random(seed);
        for (int i = 0; i < 6; i++) {
            node(
                    "n" + i,
                    "\"zone\": \"%s\", \"disk\": \"%s\""
                            .formatted("ab".charAt(i % 2), random.nextBoolean() ? "ssd" : "hdd"),
                    1 + random.nextInt(6),
                    random.nextInt(3) == 0 ? "{\"key\": \"dedicated\", \"effect\": \"NoSchedule\"}" : "");
        }
        boolean hasZone = random.nextBoolean();
        boolean wantsSsd = random.nextBoolean();
        boolean tolerates = random.nextBoolean();
        String cpu = (200 + random.nextInt(1000)) + "m";
        NodeClaim.Builder claim = NodeClaim.newBuilder();
        if (hasZone) {
            claim.setNodeAffinityBytes(zoneIn("a"));
        }
        if (wantsSsd) {
            claim.putNodeSelector("disk", "ssd");
        }
        if (tolerates) {
            claim.addTolerationsBytes(tolerating("dedicated"));
        }
        Pod pod = (Pod) READER.read("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop", "name": "replica"}, "spec": {
                 "nodeSelector": {%s}, "tolerations": [%s], "affinity": {%s},
                 "containers": [{"name": "main", "resources": {"requests": {"cpu": "%s", "memory": "512Mi"}}}]}}
                """.formatted(
                        wantsSsd ? "\"disk\": \"ssd\"" : "",
                        tolerates ? "{\"key\": \"dedicated\", \"operator\": \"Exists\"}" : "",
                        hasZone ? """
                        "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                        {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}]}}""" : "",
                        cpu));
        long expected = cluster.schedulePodsByTemplate(pod, 100, SchedulingOptions.USUAL.asDryRun()).stream()
                .filter(Placed.class::isInstance)
                .count();

        int told = replicas(MaxAvailableReplicasRequest.newBuilder()
                .setReplicaRequirements(ReplicaRequirements.newBuilder()
                        .setNamespace("shop")
                        .setNodeClaim(claim)
                        .putResourceRequestBytes("cpu", quantity(cpu))
                        .putResourceRequestBytes("memory", quantity("512Mi")))
                .build());

        assertThat(told).isEqualTo((int) expected);
        assertThat(cluster.isChanged()).isFalse();
    }

    @Test
    void pendingReplicasElsewhereTakeTheirRoomFirst() throws Exception {
        node("a", "", 4, "");
        node("b", "", 4, "");
        MaxAvailableReplicasRequest.Builder request = MaxAvailableReplicasRequest.newBuilder()
                .setReplicaRequirements(ReplicaRequirements.newBuilder().putResourceRequestBytes("cpu", quantity("2")));

        assertThat(replicas(request.build())).isEqualTo(4);
        assertThat(replicas(request.addAssumedWorkloads(AssumedWorkload.newBuilder()
                                .setNamespace("shop")
                                .addComponents(component("on-its-way", 2, "3")))
                        .build()))
                .as("a core of each node is left")
                .isZero();
    }

    private static Component component(String name, int replicas, String cpu) {
        return Component.newBuilder()
                .setName(name)
                .setReplicas(replicas)
                .setReplicaRequirements(
                        ComponentReplicaRequirements.newBuilder().putResourceRequestBytes("cpu", quantity(cpu)))
                .build();
    }

    @Test
    void aSetIsAllOfItsComponents() throws Exception {
        node("a", "", 4, "");
        node("b", "", 4, "");
        MaxAvailableComponentSetsRequest.Builder request = MaxAvailableComponentSetsRequest.newBuilder()
                .setNamespace("shop")
                .addComponents(component("jobmanager", 1, "1"))
                .addComponents(component("taskmanager", 2, "1"));

        assertThat(sets(request)).as("8 cores, 3 of each set, 10 pods").isEqualTo(2);
        assertThat(sets(request.addComponents(component("cache", 1, "2")))).isEqualTo(1);
        assertThat(sets(request.addComponents(component("too-large", 1, "5")))).isZero();
        assertThat(sets(MaxAvailableComponentSetsRequest.newBuilder())).isZero();
    }

    private int sets(MaxAvailableComponentSetsRequest.Builder request) throws Exception {
        return ask("MaxAvailableComponentSets", request.build(), MaxAvailableComponentSetsResponse.getDefaultInstance())
                .getMaxSets();
    }

    @Test
    void replicasThatHaveFoundNoNodeForLongAreCounted() throws Exception {
        Instant now = Instant.now();
        waiting = List.of(
                waiting("old", "Unschedulable", now.minusSeconds(3600)),
                waiting("new", "Unschedulable", now.plusSeconds(3600)),
                waiting("gated", "SchedulingGated", now.minusSeconds(3600)));

        assertThat(unschedulable("web")).isEqualTo(1);
        assertThat(unschedulable("db")).isZero();
    }

    private static Pod waiting(String name, String reason, Instant since) {
        return (Pod) READER.read("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop", "name": "%s"}, "status": {"conditions": [
                 {"type": "PodScheduled", "status": "False", "reason": "%s", "lastTransitionTime": "%s"}]}}
                """.formatted(name, reason, since));
    }

    private int unschedulable(String name) throws Exception {
        return ask(
                        "GetUnschedulableReplicas",
                        UnschedulableReplicasRequest.newBuilder()
                                .setResource(ObjectReference.newBuilder()
                                        .setApiVersion("apps/v1")
                                        .setKind("Deployment")
                                        .setNamespace("shop")
                                        .setName(name))
                                .setUnschedulableThreshold(Duration.ofMinutes(1).toNanos())
                                .build(),
                        UnschedulableReplicasResponse.getDefaultInstance())
                .getUnschedulableReplicas();
    }
}
