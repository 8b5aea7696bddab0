package io.evenkeel.kube.election;

import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.TimeLimit;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Reads and writes one Lease. */
final class LeaseClient {
    private static final String JSON = "application/json";
    private static final int CONFLICT = 409;

    private final ApiTransport transport;
    private final TimeLimit limit;
    private final LongSupplier patience;
    private final String namespace;
    private final String name;
    private final String path;

    /**
     * A client of the Lease of a name.
     *
     * @param patience nanoseconds that the next call may take
     */
    LeaseClient(ApiTransport transport, TimeLimit limit, LongSupplier patience, String namespace, String name) {
        this.transport = transport;
        this.limit = limit;
        this.patience = patience;
        this.namespace = namespace;
        this.name = name;
        path = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    }

    /** Empty where there is no such Lease. */
    Optional<Lease> get() throws IOException {
        Answered answer = call(ApiCall.get(path + "/" + name));
        return answer.code() == 404 && answer.status().kind().equals("leases")
                ? Optional.empty()
                : Optional.of(read("get", answer));
    }

    /** Fails with an OvertakenException if there is one by now. */
    Lease create(LeaseClaim claim) throws IOException {
        return read("create", call(ApiCall.send("POST", path, JSON, LeaseBody.created(namespace, name, claim))));
    }

    /** Fails with an OvertakenException if it is another version by now. */
    Lease update(Lease lease, LeaseClaim claim) throws IOException {
        return read("update", call(ApiCall.send("PUT", path + "/" + name, JSON, LeaseBody.changed(lease, claim))));
    }

    private Answered call(ApiCall call) throws IOException {
        long nanos = patience.getAsLong();
        if (nanos <= 0) {
            throw new IOException("no time is left to ask for the Lease " + namespace + "/" + name);
        }
        return limit.within(nanos, () -> Answered.whole(transport, call));
    }

    private Lease read(String verb, Answered answer) throws IOException {
        if (!answer.isSuccess()) {
            String why = "cannot " + verb + " the Lease " + namespace + "/" + name + ": "
                    + answer.status().explanation();
            throw answer.code() == CONFLICT ? new OvertakenException(why) : new IOException(why);
        }
        return LeaseReader.read(answer.body());
    }
}
