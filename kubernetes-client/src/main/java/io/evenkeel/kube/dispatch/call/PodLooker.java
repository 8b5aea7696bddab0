package io.evenkeel.kube.dispatch.call;

import io.evenkeel.engine.Command.Look;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.read.ObjectReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** Reads pods one by one. */
final class PodLooker {
    private final ApiTransport transport;
    private final ObjectReader reader;

    PodLooker(ApiTransport transport, ObjectReader reader) {
        this.transport = transport;
        this.reader = reader;
    }

    CommandResult look(Look look) {
        try {
            Answered answer = Answered.whole(transport, ApiCall.get(PodPath.of(look.pod())));
            if (answer.isNoSuchPod()) {
                return new CommandResult.Looked(look.pod(), Optional.empty());
            }
            return answer.isSuccess()
                    ? read(look, answer)
                    : new CommandResult.NotLooked(look.pod(), answer.refusal().message());
        } catch (IOException noAnswer) {
            return new CommandResult.NotLooked(look.pod(), "no answer: " + noAnswer);
        }
    }

    private CommandResult read(Look look, Answered answer) {
        try {
            KubernetesObject found = reader.read(answer.body());
            return found instanceof Pod pod
                    ? new CommandResult.Looked(look.pod(), Optional.of(pod))
                    : new CommandResult.NotLooked(look.pod(), "the server answered with something else than a pod");
        } catch (ObjectReadException | UncheckedIOException unreadable) {
            return new CommandResult.NotLooked(look.pod(), "unreadable: " + unreadable.getMessage());
        }
    }
}
