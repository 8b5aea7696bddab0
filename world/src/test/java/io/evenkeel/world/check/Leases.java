package io.evenkeel.world.check;

import com.google.gson.JsonParser;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.kube.api.ApiCall;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** That nothing is written about pods, their volumes and policies by who does not hold the lease when it sends it. */
public final class Leases {
    private final HollowObjects objects;
    private final Map<Object, String> identities = new HashMap<>();

    public Leases(HollowObjects objects) {
        this.objects = objects;
    }

    /** A process sends this now, which has been told of the whole cluster or has not. */
    public void sends(Object process, ApiCall call, boolean knowsTheCluster) {
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
        }
    }

    private static boolean isDecided(ApiCall call) {
        return Stream.of("/pods/", "/persistentvolume", "/placementpolicies").anyMatch(call.path()::contains);
    }

    private static String holder(String lease) {
        var spec = JsonParser.parseString(lease).getAsJsonObject().getAsJsonObject("spec");
        return spec.has("holderIdentity") ? spec.get("holderIdentity").getAsString() : "";
    }
}
