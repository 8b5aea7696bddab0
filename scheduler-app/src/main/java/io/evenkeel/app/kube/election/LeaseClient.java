package io.evenkeel.app.kube.election;

import io.evenkeel.app.kube.ApiCall;
import io.evenkeel.app.kube.ApiTransport;
import io.evenkeel.app.kube.wire.Answered;
import java.io.IOException;
import java.util.Optional;

/** Reads and writes one Lease. A write that was overtaken by somebody else's is an IOException like any other failure. */
final class LeaseClient {
    private static final String JSON = "application/json";

    private final ApiTransport transport;
    private final String namespace;
    private final String name;
    private final String path;

    LeaseClient(ApiTransport transport, String namespace, String name) {
        this.transport = transport;
        this.namespace = namespace;
        this.name = name;
        path = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    }

    /** Empty where there is no such Lease. */
    Optional<Lease> get() throws IOException {
        Answered answer = Answered.whole(transport, ApiCall.get(path + "/" + name));
        return answer.code() == 404 && answer.refusal().kind().equals("leases")
                ? Optional.empty()
                : Optional.of(read("get", answer));
    }

    Lease create(LeaseClaim claim) throws IOException {
        return read(
                "create",
                Answered.whole(transport, ApiCall.send("POST", path, JSON, LeaseBody.created(namespace, name, claim))));
    }

    /** Fails if it is another version by now. */
    Lease update(Lease lease, LeaseClaim claim) throws IOException {
        return read(
                "update",
                Answered.whole(
                        transport, ApiCall.send("PUT", path + "/" + name, JSON, LeaseBody.changed(lease, claim))));
    }

    private Lease read(String verb, Answered answer) throws IOException {
        if (!answer.isSuccess()) {
            throw new IOException("cannot " + verb + " the Lease " + namespace + "/" + name + ": "
                    + answer.refusal().message());
        }
        return LeaseReader.read(answer.body());
    }
}
