package io.evenkeel.world.check;

import com.google.gson.JsonParser;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.kube.api.ApiCall;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * That nothing is written about pods, their volumes and policies by who does not hold the lease when it sends it, nor by who cannot
 * know any more that it does, as it last sent a renewal too long ago that succeeded.
 */
public final class Leases {
    private final HollowObjects objects;
    private final long deadline;
    private final Map<Object, String> identities = new HashMap<>();
    /** By each process' clock. */
    private final Map<Object, Long> renewing = new HashMap<>();

    private final Map<Object, Long> renewed = new HashMap<>();

    /** @param deadline after which a leader that could not renew its lease leads no more */
    public Leases(HollowObjects objects, Duration deadline) {
        this.objects = objects;
        this.deadline = deadline.toNanos();
    }

    /** A process hears what became of a request: by this code, or 0. */
    public void hears(Object process, ApiCall call, int code) {
        if (writesLease(call) && code >= 200 && code < 300) {
            renewed.put(process, renewing.getOrDefault(process, 0L));
        }
    }

    private static boolean writesLease(ApiCall call) {
        return call.path().contains("/leases") && call.body().isPresent();
    }

    /**
     * A process sends this now.
     *
     * @param knowsTheCluster whether it has been told of all of it
     * @param nanos what its clock shows
     */
    public void sends(Object process, ApiCall call, boolean knowsTheCluster, long nanos) {
        if (writesLease(call)) {
            renewing.put(process, nanos);
        }
        if (call.path().contains("/leases")) {
            if (call.body().isPresent() && !knowsTheCluster) {
                throw new Violation("who does not know the cluster keeps the lease from those that do");
            }
            call.body()
                    .map(body -> holder(body.content()))
                    .filter(holder -> !holder.isEmpty())
                    .ifPresent(holder -> identities.put(process, holder));
        } else if (isDecided(call) && !call.method().equals("GET")) {
            String holder = objects.get(ResourceTable.LEASES, "kube-system", "kube-scheduler")
                    .map(Leases::holder)
                    .orElse("");
            String sender = Optional.ofNullable(identities.get(process)).orElse("");
            if (!holder.equals(sender)) {
                throw new Violation(
                        "\"" + sender + "\" writes about a pod while the lease is held by \"" + holder + "\"");
            }
            long age = nanos - renewed.getOrDefault(process, nanos - deadline);
            if (age >= deadline) {
                throw new Violation("\"" + sender + "\" writes about a pod " + TimeUnit.NANOSECONDS.toMillis(age)
                        + " ms after it sent the renewal that it leads by");
            }
        }
    }

    private static boolean isDecided(ApiCall call) {
        return Stream.of("/pods/", "/deployments/", "/persistentvolume", "/placementpolicies")
                .anyMatch(call.path()::contains);
    }

    private static String holder(String lease) {
        var spec = JsonParser.parseString(lease).getAsJsonObject().getAsJsonObject("spec");
        return spec.has("holderIdentity") ? spec.get("holderIdentity").getAsString() : "";
    }
}
