package io.evenkeel.kube.dispatch.call;

import io.evenkeel.engine.Command.Lookup;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.PodPath;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.read.ObjectReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** Reads pods one by one. */
final class PodLookup {
    private final ApiTransport transport;
    private final ObjectReader reader;

    PodLookup(ApiTransport transport, ObjectReader reader) {
        this.transport = transport;
        this.reader = reader;
    }

    CommandResult carryOut(Lookup lookup) {
        try {
            Answered answer = Answered.whole(transport, ApiCall.get(PodPath.of(lookup.pod())));
            if (answer.isNoSuchPod()) {
                return new CommandResult.Found(lookup.pod(), Optional.empty());
            }
            return answer.isSuccess()
                    ? read(lookup, answer)
                    : new CommandResult.LookupFailed(
                            lookup.pod(), answer.status().explanation());
        } catch (IOException noAnswer) {
            return new CommandResult.LookupFailed(lookup.pod(), "no answer: " + noAnswer);
        }
    }

    private CommandResult read(Lookup lookup, Answered answer) {
        try {
            KubernetesObject found = reader.read(answer.body());
            return found instanceof Pod pod
                    ? new CommandResult.Found(lookup.pod(), Optional.of(pod))
                    : new CommandResult.LookupFailed(
                            lookup.pod(), "the server answered with something else than a pod");
        } catch (ObjectReadException | UncheckedIOException unreadable) {
            return new CommandResult.LookupFailed(lookup.pod(), "unreadable: " + unreadable.getMessage());
        }
    }
}
