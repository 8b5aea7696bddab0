package io.evenkeel.serve;

import evenkeel.whatif.v1.Names;
import evenkeel.whatif.v1.Nothing;
import evenkeel.whatif.v1.Open;
import evenkeel.whatif.v1.Origin;
import evenkeel.whatif.v1.Preemption;
import evenkeel.whatif.v1.Result;
import evenkeel.whatif.v1.SchedulePods;
import evenkeel.whatif.v1.SchedulePodsByTemplate;
import evenkeel.whatif.v1.SessionRequest;
import evenkeel.whatif.v1.SessionResponse;
import evenkeel.whatif.v1.Step;
import evenkeel.whatif.v1.Verdicts;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.SchedulingOptions;
import io.evenkeel.whatif.Verdict;
import io.evenkeel.whatif.Verdict.Placed;
import io.evenkeel.whatif.Verdict.Refused;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.StatusException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A server of what-ifs and one session of a client, by which is done over gRPC what is done to a {@link ClusterSnapshot} in process. */
public final class ServedSnapshot implements AutoCloseable {
    private static final int OBJECTS_AT_A_TIME = 500;

    private final ObjectWriter writer = new ObjectWriter();
    private final WhatIfServer server;
    private final ManagedChannel channel;
    private final BlockingClientCall<SessionRequest, SessionResponse> session;

    /** @param empty makes a cluster with nothing in it */
    public ServedSnapshot(Supplier<ClusterSnapshot> empty, PluginRegistry plugins) throws IOException {
        ClusterSnapshot first = empty.get();
        server = new WhatIfServer(
                new ClusterSource.Fixed(first, empty),
                new ScenarioQuestions(plugins, first.configuration().featureGates(), WhatIfLimits.USUAL),
                WhatIfLimits.USUAL,
                new WhatIfMetrics());
        InetSocketAddress address = server.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                AccessControl.OPEN_TO_ALL);
        channel = NettyChannelBuilder.forAddress(address).usePlaintext().build();
        session = ClientCalls.blockingBidiStreamingCall(channel, WhatIfMethods.SESSION, CallOptions.DEFAULT);
        ask(SessionRequest.newBuilder().setOpen(Open.newBuilder().setOrigin(Origin.EMPTY)));
    }

    private List<Result> ask(SessionRequest.Builder request) {
        try {
            session.write(request.build());
            SessionResponse response = session.read();
            if (response == null || response.getResultsCount() != request.getStepsCount()) {
                throw new IllegalStateException("not all was answered: " + response);
            }
            response.getResultsList().stream()
                    .filter(Result::hasError)
                    .findFirst()
                    .ifPresent(wrong -> {
                        throw new IllegalStateException(wrong.getError());
                    });
            return response.getResultsList();
        } catch (StatusException | InterruptedException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private Result ask(Step.Builder step) {
        return ask(SessionRequest.newBuilder().addSteps(step)).getFirst();
    }

    private evenkeel.whatif.v1.KubernetesObject written(KubernetesObject object) {
        return evenkeel.whatif.v1.KubernetesObject.newBuilder()
                .setJson(writer.json(object))
                .build();
    }

    /** As they are; pods that are on no node are passed over. */
    public void put(Collection<? extends KubernetesObject> objects) {
        List<Step> steps = objects.stream()
                .filter(object -> !(object instanceof Pod pod) || pod.isPlaced())
                .map(object -> Step.newBuilder().setPut(written(object)).build())
                .toList();
        for (int from = 0; from < steps.size(); from += OBJECTS_AT_A_TIME) {
            ask(SessionRequest.newBuilder()
                    .addAllSteps(steps.subList(from, Math.min(steps.size(), from + OBJECTS_AT_A_TIME))));
        }
    }

    public void begin() {
        ask(Step.newBuilder().setBegin(Nothing.getDefaultInstance()));
    }

    public void rollback() {
        ask(Step.newBuilder().setRollback(Nothing.getDefaultInstance()));
    }

    public void removeNode(String name) {
        ask(Step.newBuilder().setRemoveNode(name));
    }

    public void preemptPods(List<Pod> pods) {
        ask(Step.newBuilder()
                .setPreemptPods(Names.newBuilder()
                        .addAllNames(pods.stream().map(Pod::key).toList())));
    }

    public List<String> schedulePods(List<Pod> pods, SchedulingOptions options) {
        return told(ask(Step.newBuilder().setSchedulePods(asked(pods, options))).getVerdicts());
    }

    public List<String> scheduleWorkload(List<Pod> pods, SchedulingOptions options) {
        return told(
                ask(Step.newBuilder().setScheduleWorkload(asked(pods, options))).getVerdicts());
    }

    private SchedulePods asked(List<Pod> pods, SchedulingOptions options) {
        return SchedulePods.newBuilder()
                .addAllPods(pods.stream().map(this::written).toList())
                .setOptions(asked(options))
                .build();
    }

    private static evenkeel.whatif.v1.SchedulingOptions asked(SchedulingOptions options) {
        return evenkeel.whatif.v1.SchedulingOptions.newBuilder()
                .setDryRun(options.isDryRun())
                .setStopOnFailure(options.stopsOnFailure())
                .build();
    }

    public List<String> schedulePodsByTemplate(Pod template, int most, SchedulingOptions options) {
        return told(ask(Step.newBuilder()
                        .setSchedulePodsByTemplate(SchedulePodsByTemplate.newBuilder()
                                .setTemplate(written(template))
                                .setMost(most)
                                .setOptions(asked(options))))
                .getVerdicts());
    }

    /** The node and the victims, or nothing. */
    public List<String> preemptionFor(Pod pod) {
        Preemption found = ask(Step.newBuilder().setPreemptionFor(written(pod))).getPreemption();
        return told(found.getNode(), found.getVictimsList());
    }

    public static List<String> told(Optional<ClusterSnapshot.Preemption> preemption) {
        return preemption
                .map(found -> told(
                        found.node(), found.victims().stream().map(Pod::key).toList()))
                .orElse(List.of());
    }

    private static List<String> told(String node, List<String> victims) {
        return node.isEmpty() ? List.of() : List.of(node, String.join(" ", victims));
    }

    private static List<String> told(Verdicts verdicts) {
        return verdicts.getVerdictsList().stream()
                .map(each -> each.getPod() + " " + each.getNode() + " " + each.getMessage())
                .toList();
    }

    /** Verdicts in the words in which those of a session are told. */
    public static List<String> told(List<Verdict> verdicts) {
        return verdicts.stream()
                .map(verdict -> switch (verdict) {
                    case Placed(Pod pod, String node) -> pod.key() + " " + node + " ";
                    case Refused(Pod pod, String message) -> pod.key() + "  " + message;
                })
                .toList();
    }

    @Override
    public void close() {
        session.cancel("the scene has ended", null);
        channel.shutdownNow();
        server.close();
    }
}
