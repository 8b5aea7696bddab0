package io.evenkeel.serve;

import evenkeel.whatif.v1.KubernetesObject;
import evenkeel.whatif.v1.Open;
import evenkeel.whatif.v1.Origin;
import evenkeel.whatif.v1.SchedulePods;
import evenkeel.whatif.v1.SchedulingOptions;
import evenkeel.whatif.v1.SessionRequest;
import evenkeel.whatif.v1.SessionResponse;
import evenkeel.whatif.v1.Step;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.Verdict;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.StatusException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Questions a second: where would this pod go? In process, and over gRPC on this machine, 1,000 in a request. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class WhatIfBenchmark {
    private static final int BATCH = 1_000;
    private static final int WORKLOADS = 20;
    private static final int PODS_OF_A_NODE = 10;
    private static final String NODE = """
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-%d",
             "labels": {"topology.kubernetes.io/zone": "zone-%d", "kubernetes.io/hostname": "node-%d"}},
             "status": {"allocatable": {"cpu": "16", "memory": "64Gi", "pods": "110"}}}""";
    private static final String POD = """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop", "name": "%s", "labels": {"app": "app-%d"}},
             "spec": {"nodeName": "%s", "containers": [{"name": "c", "resources": {"requests": {"cpu": "500m", "memory": "1Gi"}}}],
             "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone",
             "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"app": "app-%d"}}}]}}""";

    @Param("1000")
    private int nodes;

    private final ClusterSnapshot cluster = snapshot();
    private final List<Pod> pods = new ArrayList<>();
    private Optional<WhatIfServer> server = Optional.empty();
    private Optional<ManagedChannel> channel = Optional.empty();
    private Optional<BlockingClientCall<SessionRequest, SessionResponse>> session = Optional.empty();
    private SessionRequest request = SessionRequest.getDefaultInstance();

    private static ClusterSnapshot snapshot() {
        return new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());
    }

    @Setup
    public void open() throws IOException, StatusException, InterruptedException {
        ObjectReader reader = new ObjectReader();
        for (int node = 0; node < nodes; node++) {
            cluster.put(reader.read(NODE.formatted(node, node % 3, node)));
        }
        for (int pod = 0; pod < nodes * PODS_OF_A_NODE; pod++) {
            int app = pod % WORKLOADS;
            cluster.put(reader.read(POD.formatted("there-" + pod, app, "node-" + pod % nodes, app)));
        }
        SessionRequest.Builder batch = SessionRequest.newBuilder();
        for (int question = 0; question < BATCH; question++) {
            int app = question % WORKLOADS;
            String pod = POD.formatted("asked-" + question, app, "", app);
            pods.add((Pod) reader.read(pod));
            batch.addSteps(Step.newBuilder()
                    .setSchedulePods(SchedulePods.newBuilder()
                            .addPods(KubernetesObject.newBuilder().setJson(pod))
                            .setOptions(SchedulingOptions.newBuilder().setDryRun(true))));
        }
        request = batch.build();
        WhatIfServer made = new WhatIfServer(
                new ClusterSource.Fixed(cluster, WhatIfBenchmark::snapshot),
                new ScenarioQuestions(InTreePlugins.registry(), FeatureGates.DEFAULTS, WhatIfLimits.USUAL),
                WhatIfLimits.USUAL,
                new WhatIfMetrics());
        server = Optional.of(made);
        InetSocketAddress address = made.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                AccessControl.OPEN_TO_ALL);
        channel = Optional.of(NettyChannelBuilder.forAddress(address)
                .usePlaintext()
                .maxInboundMessageSize(WhatIfLimits.USUAL.bytes())
                .build());
        session = Optional.of(
                ClientCalls.blockingBidiStreamingCall(channel.get(), WhatIfMethods.SESSION, CallOptions.DEFAULT));
        ask(SessionRequest.newBuilder()
                .setOpen(Open.newBuilder().setOrigin(Origin.LIVE))
                .build());
    }

    @TearDown
    public void close() {
        channel.ifPresent(ManagedChannel::shutdownNow);
        server.ifPresent(WhatIfServer::close);
    }

    private SessionResponse ask(SessionRequest asked) throws StatusException, InterruptedException {
        var open = session.orElseThrow();
        open.write(asked);
        return open.read();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int inProcess() {
        int placed = 0;
        for (Pod pod : pods) {
            if (cluster.schedulePod(pod, io.evenkeel.whatif.SchedulingOptions.USUAL.asDryRun())
                    instanceof Verdict.Placed) {
                placed++;
            }
        }
        return placed;
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int overGrpc() throws StatusException, InterruptedException {
        return ask(request).getResultsCount();
    }
}
