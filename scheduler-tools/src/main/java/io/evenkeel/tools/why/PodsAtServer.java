package io.evenkeel.tools.why;

import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.read.ObjectReader;
import java.io.IOException;
import java.util.Optional;

/** Pods as the API server knows them, one at a time. */
record PodsAtServer(ApiTransport transport) {
    private static final ObjectReader READER = new ObjectReader();

    /** @throws IOException where the server does not say, or nothing that could be understood */
    Optional<Pod> find(String namespace, String name) throws IOException {
        Answered answer = Answered.whole(transport, ApiCall.get("/api/v1/namespaces/" + namespace + "/pods/" + name));
        if (answer.isNoSuchPod()) {
            return Optional.empty();
        }
        if (!answer.isSuccess()) {
            throw new IOException(answer.status().explanation());
        }
        try {
            return Optional.of(READER.read(answer.body()))
                    .filter(Pod.class::isInstance)
                    .map(Pod.class::cast);
        } catch (ObjectReadException unreadable) {
            throw new IOException(unreadable.getMessage(), unreadable);
        }
    }
}
