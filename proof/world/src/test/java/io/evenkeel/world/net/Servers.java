package io.evenkeel.world.net;

import com.google.gson.JsonParser;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.StoreApi;
import io.evenkeel.hollow.StoreApi.Request;
import io.evenkeel.hollow.StoreApi.Words;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.world.play.LocalClock;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/** The log of all objects, as etcd is beneath every API server, and how writes and single reads are answered. */
public final class Servers {
    private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");
    private static final int ALL_HISTORY = 1_000_000;

    private final Store store = new Store(ALL_HISTORY);
    private final StoreApi api;
    private final Set<String> untold = new HashSet<>();
    private final Set<String> onceUntold = new HashSet<>();
    private final Set<String> nominatedLate = new HashSet<>();
    private long uids;

    public Servers(LocalClock clock) {
        api = new StoreApi(store, clock::time, () -> new UUID(0, ++uids));
    }

    public Store store() {
        return store;
    }

    /** For whoever lives in the cluster and is not tried here. */
    public HollowObjects objects() {
        return api.objects();
    }

    /** Whether just this object is there now, and one that watches tell of. */
    public boolean has(KubernetesObject object) {
        ResourceType type = ResourceTable.ALL.stream()
                .filter(each -> each.kind().equals(object.kindName()))
                .findFirst()
                .orElseThrow();
        String uid = object.meta().uid();
        return objects()
                .get(type, object.meta().namespace(), object.meta().name())
                .map(text -> JsonParser.parseString(text).getAsJsonObject())
                .filter(tree -> uid.equals(Trees.text(tree, "metadata", "uid")))
                .filter(tree -> !FINISHED.contains(Trees.text(tree, "status", "phase")))
                .isPresent();
    }

    Words words(Request watch) {
        return api.words(watch);
    }

    /** Carries the request out. */
    Reply answer(ApiCall call) {
        Reply reply = answer(request(call));
        // nothing has been said of a pod by what was about its predecessor
        if (reply.code() < 300) {
            untold.remove(call.path());
            if (nominates(call)) {
                nominatedLate.remove(call.path());
            }
        }
        return reply;
    }

    /** Carries it out behind what its sender, or who came after it, has said since. */
    Reply answerLate(ApiCall call) {
        if (nominates(call)) {
            nominatedLate.add(call.path());
        }
        return answer(request(call));
    }

    /** Will not have it. */
    void refuses(ApiCall call) {
        if (call.method().equals("PATCH")) {
            untold.add(call.path());
            onceUntold.add(call.path());
            if (nominates(call)) {
                nominatedLate.add(call.path());
            }
        }
    }

    private static boolean nominates(ApiCall call) {
        return call.body()
                .filter(body -> body.content().contains("\"nominatedNodeName\""))
                .isPresent();
    }

    /** Whether the last that somebody wanted to say of a pod's state was refused. */
    public boolean hasRefusedStatusOf(String namespace, String pod) {
        return untold.contains(status(namespace, pod));
    }

    /** The same at any time: where several say something of a pod, what another says late may come after it. */
    public boolean hasOnceRefusedStatusOf(String namespace, String pod) {
        return onceUntold.contains(status(namespace, pod));
    }

    /**
     * Whether the pod may name a node that nobody knows to take back: of who did not live to see it, or where that was
     * refused before the news of it came.
     */
    public boolean hasNominatedLate(String namespace, String pod) {
        return nominatedLate.contains(status(namespace, pod));
    }

    private static String status(String namespace, String pod) {
        return "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/status";
    }

    Reply answer(Request request) {
        return Reply.of(api.answer(request));
    }

    static Request request(ApiCall call) {
        return Request.of(
                call.method(),
                call.path(),
                call.headers().getOrDefault("Accept", ""),
                call.body().map(ApiCall.Body::contentType).orElse(""),
                call.body().map(ApiCall.Body::content).orElse(""));
    }
}
