package com.example;

import evenkeel.whatif.v1.KubernetesObject;
import evenkeel.whatif.v1.Open;
import evenkeel.whatif.v1.Origin;
import evenkeel.whatif.v1.SchedulePodsByTemplate;
import evenkeel.whatif.v1.SessionRequest;
import evenkeel.whatif.v1.SessionResponse;
import evenkeel.whatif.v1.Step;
import evenkeel.whatif.v1.Verdict;
import io.evenkeel.serve.WhatIfMethods;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.StatusException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where would pods of a template go without a node? Asks a server of what-ifs. */
public final class Ask {
    private Ask() {}

    /** {@code ask 127.0.0.1:10261 pod.json 5 node-1} */
    public static void main(String[] args) throws IOException, StatusException, InterruptedException {
        ManagedChannel server =
                NettyChannelBuilder.forTarget(args[0]).usePlaintext().build();
        try {
            verdicts(server, Files.readString(Path.of(args[1])), Integer.parseInt(args[2]), args[3])
                    .forEach(pod -> System.out.println(
                            pod.getNode().isEmpty()
                                    ? pod.getPod() + " waits: " + pod.getMessage()
                                    : pod.getPod() + " goes to " + pod.getNode()));
        } finally {
            server.shutdownNow();
        }
    }

    /** As many of the template as fit, or so many, while the node is not there. */
    static List<Verdict> verdicts(Channel server, String template, int most, String node)
            throws StatusException, InterruptedException {
        BlockingClientCall<SessionRequest, SessionResponse> session = ClientCalls.blockingBidiStreamingCall(
                server, WhatIfMethods.SESSION, CallOptions.DEFAULT.withWaitForReady());
        session.write(SessionRequest.newBuilder()
                .setOpen(Open.newBuilder().setOrigin(Origin.LIVE))
                .addSteps(Step.newBuilder().setRemoveNode(node))
                .addSteps(Step.newBuilder()
                        .setSchedulePodsByTemplate(SchedulePodsByTemplate.newBuilder()
                                .setTemplate(KubernetesObject.newBuilder().setJson(template))
                                .setMost(most)))
                .build());
        SessionResponse response = session.read();
        session.halfClose();
        var last = response.getResults(response.getResultsCount() - 1);
        if (last.hasError()) {
            throw new IllegalArgumentException(last.getError());
        }
        return last.getVerdicts().getVerdictsList();
    }
}
