package io.evenkeel.kube.election;

import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.election.ContestedLease.Lease;
import io.evenkeel.kube.election.ContestedLease.LeaseClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An API server that keeps one Lease. */
public final class LeaseStore {
    private static final Pattern VERSION = Pattern.compile("\"resourceVersion\":\"(\\d+)\"");

    private final String uid;
    private Optional<String> lease = Optional.empty();
    private Optional<String> faster = Optional.empty();
    private int version = 1;

    public LeaseStore() {
        this("u");
    }

    LeaseStore(String uid) {
        this.uid = uid;
    }

    public synchronized void put(String json) {
        lease = Optional.of(
                json.replaceFirst("\"resourceVersion\":\"\\d+\"", "\"resourceVersion\":\"" + ++version + "\""));
    }

    synchronized String json() {
        return lease.orElseThrow();
    }

    public String holder() {
        return lease().holder();
    }

    Lease lease() {
        try {
            return LeaseClient.read(json().getBytes(StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** Somebody creates the Lease right before the next who wants to. */
    void isCreatedFirstBy(String holder) {
        faster = Optional.of("""
                {"apiVersion":"coordination.k8s.io/v1","kind":"Lease",\
                "metadata":{"name":"kube-scheduler","uid":"u","resourceVersion":"0"},\
                "spec":{"holderIdentity":"%s","leaseDurationSeconds":15}}""".formatted(holder));
    }

    public synchronized ApiAnswer answer(ApiCall call) {
        String body = call.body().map(ApiCall.Body::content).orElse("");
        return switch (call.method()) {
            case "GET" -> lease.map(json -> Answers.of(200, json)).orElse(Answers.recorded("lease that is not there"));
            case "POST" -> {
                faster.ifPresent(this::put);
                if (lease.isPresent()) {
                    yield Answers.of(409, "exists");
                }
                put(body.replaceFirst(
                        "\"metadata\":\\{", "\"metadata\":{\"uid\":\"" + uid + "\",\"resourceVersion\":\"0\","));
                yield Answers.of(201, json());
            }
            case "PUT" -> {
                Matcher sent = VERSION.matcher(body);
                if (!sent.find() || !sent.group(1).equals(Integer.toString(version))) {
                    yield Answers.recorded("renew lease with a stale version");
                }
                put(body);
                yield Answers.of(200, json());
            }
            default -> throw new IllegalArgumentException(call.method());
        };
    }
}
