package io.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import evenkeel.whatif.v1.CanSchedulePod;
import evenkeel.whatif.v1.KubernetesObject;
import evenkeel.whatif.v1.Nothing;
import evenkeel.whatif.v1.Open;
import evenkeel.whatif.v1.Origin;
import evenkeel.whatif.v1.Result;
import evenkeel.whatif.v1.SchedulePodsByTemplate;
import evenkeel.whatif.v1.SessionRequest;
import evenkeel.whatif.v1.SessionResponse;
import evenkeel.whatif.v1.Step;
import evenkeel.whatif.v1.Verdict;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.why.Requester;
import io.evenkeel.tools.why.Workload;
import io.evenkeel.whatif.ClusterSnapshot;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WhatIfServerTest {
    private static final String NODE = """
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s"},
             "status": {"allocatable": {"cpu": "2", "memory": "4Gi", "pods": "110"}}}""";
    private static final String POD = """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop", "name": "%s"},
             "spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "%s"}}}]}}""";

    private final ClusterSnapshot cluster = snapshot();
    private final WhatIfServer server = new WhatIfServer(
            new ClusterSource.Fixed(cluster, WhatIfServerTest::snapshot),
            new ScenarioQuestions(InTreePlugins.registry(), FeatureGates.DEFAULTS, WhatIfLimits.USUAL),
            WhatIfLimits.USUAL,
            new WhatIfMetrics());
    private Optional<ManagedChannel> channel = Optional.empty();

    private static ClusterSnapshot snapshot() {
        return new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());
    }

    @AfterEach
    void close() {
        channel.ifPresent(ManagedChannel::shutdownNow);
        server.close();
    }

    private BlockingClientCall<SessionRequest, SessionResponse> session() throws Exception {
        InetSocketAddress address = server.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                AccessControl.OPEN_TO_ALL);
        channel = Optional.of(
                NettyChannelBuilder.forAddress(address).usePlaintext().build());
        return ClientCalls.blockingBidiStreamingCall(channel.get(), WhatIfMethods.SESSION, CallOptions.DEFAULT);
    }

    private static KubernetesObject json(String form, Object... values) {
        return KubernetesObject.newBuilder().setJson(form.formatted(values)).build();
    }

    private static Step template(String name, String cpu, int most) {
        return Step.newBuilder()
                .setSchedulePodsByTemplate(SchedulePodsByTemplate.newBuilder()
                        .setTemplate(json(POD, name, cpu))
                        .setMost(most))
                .build();
    }

    private static Step put(KubernetesObject object) {
        return Step.newBuilder().setPut(object).build();
    }

    private static List<String> nodes(Result result) {
        return result.getVerdicts().getVerdictsList().stream()
                .map(Verdict::getNode)
                .toList();
    }

    @Test
    void aSessionOfItsOwnTriesAndTakesBack() throws Exception {
        var session = session();
        assertThat(session.write(SessionRequest.newBuilder()
                        .setId(1)
                        .setOpen(Open.newBuilder().setOrigin(Origin.EMPTY))
                        .addAllSteps(Stream.of("a", "b")
                                .map(name -> put(json(NODE, name)))
                                .toList())
                        .addSteps(Step.newBuilder().setBegin(Nothing.getDefaultInstance()))
                        .addSteps(template("web", "1500m", 5))
                        .addSteps(Step.newBuilder().setRollback(Nothing.getDefaultInstance()))
                        .addSteps(template("web", "1500m", 1))
                        .build()))
                .isTrue();

        SessionResponse response = session.read();

        assertThat(response.getId()).isEqualTo(1);
        assertThat(response.getResultsCount()).isEqualTo(6);
        assertThat(nodes(response.getResults(3))).containsExactly("a", "b", "");
        assertThat(response.getResults(3).getVerdicts().getVerdicts(2).getMessage())
                .isEqualTo("0/2 nodes are available: 2 Insufficient cpu.");
        assertThat(nodes(response.getResults(5))).containsExactly("a");
    }

    @Test
    void whatIsNoMessageFillsNoLog() throws Exception {
        var _ = session();
        List<LogRecord> told = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                told.add(line);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger.getLogger("").addHandler(handler);
        try {
            var garbage = WhatIfMethods.ASK.toBuilder(GARBAGE, WhatIfMethods.ASK.getResponseMarshaller())
                    .build();
            assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(
                            channel.orElseThrow(), garbage, CallOptions.DEFAULT, "\u00ff"))
                    .hasMessageStartingWith("UNKNOWN");
            assertThat(told).isEmpty();
        } finally {
            Logger.getLogger("").removeHandler(handler);
        }
    }

    private static final MethodDescriptor.Marshaller<String> GARBAGE = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(String text) {
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        @Override
        public String parse(InputStream stream) {
            throw new UnsupportedOperationException();
        }
    };

    @Test
    void aUserHasSoManySessionsAtATime() throws Exception {
        List<BlockingClientCall<SessionRequest, SessionResponse>> sessions = new ArrayList<>(List.of(session()));
        SessionRequest nothing = SessionRequest.getDefaultInstance();
        for (int more = 1; more < WhatIfLimits.USUAL.traffic().callsOfOne(); more++) {
            sessions.add(ClientCalls.blockingBidiStreamingCall(
                    channel.orElseThrow(), WhatIfMethods.SESSION, CallOptions.DEFAULT));
        }
        for (var session : sessions) {
            session.write(nothing);
            assertThat(session.read()).isEqualTo(SessionResponse.getDefaultInstance());
        }

        var oneTooMany = ClientCalls.blockingBidiStreamingCall(
                channel.orElseThrow(), WhatIfMethods.SESSION, CallOptions.DEFAULT);
        assertThatThrownBy(oneTooMany::read)
                .isInstanceOf(StatusException.class)
                .hasMessage("RESOURCE_EXHAUSTED: a user has 16 calls at most at a time");

        sessions.getFirst().halfClose();
        assertThat(sessions.getFirst().read()).isNull();
        await().ignoreExceptions().untilAsserted(() -> {
            var next = ClientCalls.blockingBidiStreamingCall(
                    channel.orElseThrow(), WhatIfMethods.SESSION, CallOptions.DEFAULT);
            next.write(nothing);
            assertThat(next.read()).isNotNull();
        });
    }

    @Test
    void aSessionOfWhichNothingIsHeardEnds() throws Exception {
        AtomicLong nanos = new AtomicLong();
        Sessions sessions = new Sessions(
                new ClusterSource.Fixed(cluster, WhatIfServerTest::snapshot),
                WhatIfLimits.USUAL,
                new WhatIfMetrics(),
                1,
                nanos::get);
        AtomicBoolean allowed = new AtomicBoolean(true);
        Recorded idle = new Recorded();
        Recorded busy = new Recorded();
        sessions.begin(Client.ANYBODY, idle);
        var asks = sessions.begin(new Client("asker", allowed::get, () -> {}), busy);

        nanos.set(WhatIfLimits.USUAL.idle().toNanos());
        asks.onNext(SessionRequest.getDefaultInstance());
        nanos.addAndGet(1);
        sessions.sweep();

        assertThat(idle.ends).singleElement().asString().contains("ABORTED: nothing was asked for 300 seconds");
        assertThat(busy.ends).isEmpty();
        assertThat(busy.answers).hasSize(1);
        allowed.set(false);
        sessions.sweep();
        assertThat(busy.ends).singleElement().asString().contains("PERMISSION_DENIED: the user may not ask any more");
        assertThat(sessions.count()).isZero();
    }

    /** How often it was asked: each time it is somebody's turn. */
    private record Counted(ClusterSource source, AtomicInteger turns) implements ClusterSource {
        @Override
        public <T> T ask(Requester asker, BiFunction<ClusterSnapshot, Requester, T> question) throws Exception {
            turns.incrementAndGet();
            return source.ask(asker, question);
        }

        @Override
        public List<Pod> waiting(String user, Workload workload) {
            return List.of();
        }

        @Override
        public ClusterSnapshot empty() {
            return source.empty();
        }
    }

    /** By a clock that goes on by 60 ms at each look: two steps are a piece. */
    private int turnsFor(Step... steps) {
        AtomicInteger turns = new AtomicInteger();
        AtomicLong nanos = new AtomicLong();
        Sessions sessions = new Sessions(
                new Counted(new ClusterSource.Fixed(cluster, WhatIfServerTest::snapshot), turns),
                WhatIfLimits.USUAL,
                new WhatIfMetrics(),
                1,
                () -> nanos.addAndGet(60_000_000));
        Recorded recorded = new Recorded();
        sessions.begin(Client.ANYBODY, recorded)
                .onNext(SessionRequest.newBuilder().addAllSteps(List.of(steps)).build());
        assertThat(recorded.answers)
                .singleElement()
                .satisfies(answer -> assertThat(answer.getResultsCount()).isEqualTo(steps.length));
        return turns.get();
    }

    @Test
    void aLongRequestThatChangesNothingLeavesOthersTheirTurns() {
        Step asks = Step.newBuilder()
                .setCanSchedulePod(CanSchedulePod.newBuilder().setPod(json(POD, "web", "1")))
                .build();
        Step begins = Step.newBuilder().setBegin(Nothing.getDefaultInstance()).build();
        Step ends = Step.newBuilder().setRollback(Nothing.getDefaultInstance()).build();

        assertThat(turnsFor(asks, asks, asks, asks, asks)).isEqualTo(3);
        assertThat(turnsFor(begins, asks, asks, asks, ends, asks)).isEqualTo(2);
        assertThat(turnsFor()).isEqualTo(1);
    }

    @Test
    void whoTakesNoAnswersIsAskedForNoMoreAndGoes() {
        AtomicLong nanos = new AtomicLong();
        WhatIfMetrics metrics = new WhatIfMetrics();
        Sessions sessions = new Sessions(
                new ClusterSource.Fixed(cluster, WhatIfServerTest::snapshot),
                WhatIfLimits.USUAL,
                metrics,
                1,
                nanos::get);
        AtomicBoolean isGone = new AtomicBoolean();
        Recorded slow = new Recorded();
        var asks = sessions.begin(new Client("asker", () -> true, () -> isGone.set(true)), slow);
        slow.isReady = false;

        asks.onNext(SessionRequest.getDefaultInstance());
        assertThat(slow.requested).as("the next request stays in the network").isEqualTo(1);
        slow.whenReady.run();
        slow.whenReady.run();
        assertThat(slow.requested).isEqualTo(2);

        asks.onNext(SessionRequest.getDefaultInstance());
        nanos.set(WhatIfLimits.USUAL.traffic().slowness().toNanos());
        sessions.sweep();
        assertThat(isGone).isFalse();
        nanos.incrementAndGet();
        sessions.sweep();
        assertThat(isGone).isTrue();
        assertThat(sessions.count()).isZero();
    }

    /** What a session was told. */
    @SuppressWarnings("deprecation")
    private static final class Recorded extends ServerCallStreamObserver<SessionResponse> {
        final List<SessionResponse> answers = new ArrayList<>();
        final List<Throwable> ends = new ArrayList<>();
        int requested;
        boolean isReady = true;
        Runnable whenReady = () -> {};

        @Override
        public void onNext(SessionResponse response) {
            answers.add(response);
        }

        @Override
        public void onError(Throwable why) {
            ends.add(why);
        }

        @Override
        public void onCompleted() {}

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {}

        @Override
        public void setCompression(String compression) {}

        @Override
        public boolean isReady() {
            return isReady;
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {
            whenReady = handler;
        }

        @Override
        public void request(int count) {
            requested += count;
        }

        @Override
        public void setMessageCompression(boolean enable) {}

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void disableAutoRequest() {}
    }
}
