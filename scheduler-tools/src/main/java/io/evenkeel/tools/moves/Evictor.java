package io.evenkeel.tools.moves;

import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.Tree;
import io.evenkeel.whatif.moves.MoveRun.EvictionAnswer;
import java.io.IOException;
import java.util.Optional;

/** Evicts pods by the Eviction API, which asks their disruption budgets. */
record Evictor(ApiTransport transport) {

    EvictionAnswer evict(Pod pod) {
        Tree eviction = new Tree()
                .put("apiVersion", "policy/v1")
                .put("kind", "Eviction")
                .put("metadata", new Tree().put("name", pod.name()).put("namespace", pod.namespace()))
                .put(
                        "deleteOptions",
                        new Tree()
                                .put(
                                        "preconditions",
                                        new Tree().put("uid", pod.meta().uid())));
        ApiCall call =
                ApiCall.send("POST", Kinds.POD.path(pod.meta()) + "/eviction", "application/json", eviction.json());
        try {
            return answer(Answered.write(transport, call));
        } catch (IOException noAnswer) {
            return new EvictionAnswer.NotNow("no answer: " + noAnswer, Optional.empty());
        }
    }

    private static EvictionAnswer answer(Answered answer) {
        if (answer.isSuccess()) {
            return new EvictionAnswer.Accepted();
        }
        if (answer.isPodGone()) {
            return new EvictionAnswer.Gone();
        }
        String why = answer.code() + " " + answer.status().explanation();
        return answer.mayPass() ? new EvictionAnswer.NotNow(why, answer.retryAfter()) : new EvictionAnswer.Never(why);
    }
}
