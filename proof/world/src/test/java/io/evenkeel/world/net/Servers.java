package io.evenkeel.world.net;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.encoding.Encodings;
import io.evenkeel.hollow.encoding.JsonEncoding;
import io.evenkeel.hollow.encoding.ProtobufEncoding;
import io.evenkeel.hollow.kind.PodStrategy;
import io.evenkeel.hollow.kind.Strategies;
import io.evenkeel.hollow.registry.ObjectNames;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Times;
import io.evenkeel.hollow.resource.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.rest.ApiReply;
import io.evenkeel.hollow.rest.ApiRequest;
import io.evenkeel.hollow.rest.ApiRequest.Body;
import io.evenkeel.hollow.rest.Faults;
import io.evenkeel.hollow.rest.ObjectWriter;
import io.evenkeel.hollow.rest.OpenWatches;
import io.evenkeel.hollow.rest.Query;
import io.evenkeel.hollow.rest.RequestPath;
import io.evenkeel.hollow.rest.Resources;
import io.evenkeel.hollow.rest.Tokens;
import io.evenkeel.hollow.rest.User;
import io.evenkeel.hollow.rest.Verb;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.world.play.LocalClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The log of all objects, as etcd is beneath every API server, and how writes and single reads are answered. */
public final class Servers {
    private static final User EVERYBODY = User.named("world", "system:masters");
    private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");
    private static final int ALL_HISTORY = 1_000_000;

    private final Store store = new Store(ALL_HISTORY);
    private final ObjectWriter writer =
            new ObjectWriter(new Encodings(List.of(new JsonEncoding(), new ProtobufEncoding())));
    private final Resources resources;
    private final HollowObjects objects;
    private final Set<String> untold = new HashSet<>();
    private final Set<String> nominatedLate = new HashSet<>();
    private long uids;

    public Servers(LocalClock clock) {
        Times times = new Times(clock::time);
        PodStrategy pods = new PodStrategy(this::priorityClasses, false, ObjectNames::randomLetters, times::now);
        Registry registry =
                new Registry(store, new Strategies(pods, _ -> Optional.empty()), times, () -> new UUID(0, ++uids));
        objects = new HollowObjects(registry);
        OpenWatches none = new OpenWatches(store, writer, new Faults(0), Duration.ZERO, false);
        resources = new Resources(registry, writer, none, new Tokens());
    }

    private List<JsonObject> priorityClasses() {
        return store.list(ResourceTable.PRIORITY_CLASSES.storage(), "").objects().stream()
                .map(StoredObject::tree)
                .toList();
    }

    public Store store() {
        return store;
    }

    /** For whoever lives in the cluster and is not tried here. */
    public HollowObjects objects() {
        return objects;
    }

    /** Whether just this object is there now, and one that watches tell of. */
    public boolean has(KubernetesObject object) {
        ResourceType type = ResourceTable.ALL.stream()
                .filter(each -> each.kind().equals(object.kindName()))
                .findFirst()
                .orElseThrow();
        String uid = object.meta().uid();
        return objects.get(type, object.meta().namespace(), object.meta().name())
                .map(text -> JsonParser.parseString(text).getAsJsonObject())
                .filter(tree -> uid.equals(Trees.text(tree, "metadata", "uid")))
                .filter(tree -> !FINISHED.contains(Trees.text(tree, "status", "phase")))
                .isPresent();
    }

    ObjectWriter writer() {
        return writer;
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

    Reply answer(ApiRequest request) {
        return Reply.of(reply(request));
    }

    private ApiReply reply(ApiRequest request) {
        try {
            RequestPath path = RequestPath.read(RequestPath.segments(request.path()));
            return resources.serve(request, path, Verb.of(request, path));
        } catch (ApiException refused) {
            return ApiReply.status(refused);
        }
    }

    static ApiRequest request(ApiCall call) {
        int mark = call.path().indexOf('?');
        String path = mark < 0 ? call.path() : call.path().substring(0, mark);
        String query = mark < 0 ? "" : call.path().substring(mark + 1);
        return new ApiRequest(
                call.method(),
                path,
                Query.parse(query),
                call.headers().getOrDefault("Accept", ""),
                new Body(
                        call.body().map(ApiCall.Body::contentType).orElse(""),
                        call.body().map(ApiCall.Body::content).orElse("").getBytes(StandardCharsets.UTF_8)),
                EVERYBODY,
                EVERYBODY);
    }
}
