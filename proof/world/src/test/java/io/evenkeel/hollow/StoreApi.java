package io.evenkeel.hollow;

import io.evenkeel.hollow.ApiRequest.Body;
import io.evenkeel.hollow.ApiRequest.Query;
import io.evenkeel.hollow.ListOptions.FieldSelector;
import io.evenkeel.hollow.OpenWatches.Bookmark;
import io.evenkeel.hollow.RequestPath.Verb;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** The API of a store without connections: it answers one request at a time, and leaves watches to who plays its servers. */
public final class StoreApi {
    private static final User EVERYBODY = User.named("world", "system:masters");

    private final ObjectWriter writer = new ObjectWriter(List.of(Encoding.json(), Encoding.protobuf()));
    private final Resources resources;
    private final HollowObjects objects;

    public StoreApi(Store store, InstantSource clock, Supplier<UUID> uids) {
        Registry registry = new Registry(store, clock, false, uids);
        objects = new HollowObjects(registry);
        OpenWatches none = new OpenWatches(store, writer, new Faults(0), Duration.ZERO, false);
        resources = new Resources(registry, writer, none, new Tokens());
    }

    public HollowObjects objects() {
        return objects;
    }

    public Answer answer(Request asked) {
        ApiReply reply = reply(asked.request);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            reply.body().writeTo(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
        return new Answer(reply.code(), reply.contentType(), reply.retryAfterSeconds(), bytes.toByteArray());
    }

    private ApiReply reply(ApiRequest request) {
        try {
            RequestPath path = RequestPath.read(RequestPath.segments(request.path()));
            return resources.serve(request, path, Verb.of(request, path));
        } catch (ApiException refused) {
            return ApiReply.status(refused);
        }
    }

    /** The words for what a watch tells. */
    public Words words(Request watch) {
        return new Words(writer, watch);
    }

    /** A whole answer. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares answers
    public record Answer(int code, String contentType, long retryAfterSeconds, byte[] body) {}

    /** A request of one who may do everything. */
    public static final class Request {
        private final ApiRequest request;

        private Request(ApiRequest request) {
            this.request = request;
        }

        /** @param target the path with its parameters */
        public static Request of(String method, String target, String accept, String contentType, String content) {
            int mark = target.indexOf('?');
            return new Request(new ApiRequest(
                    method,
                    mark < 0 ? target : target.substring(0, mark),
                    Query.parse(mark < 0 ? "" : target.substring(mark + 1)),
                    accept,
                    new Body(contentType, content.getBytes(StandardCharsets.UTF_8)),
                    EVERYBODY,
                    EVERYBODY));
        }

        /** The same request, for all objects as they were at this version. */
        public Request at(long version) {
            Map<String, String> parameters = new HashMap<>(request.query().parameters());
            parameters.put("resourceVersion", Long.toString(version));
            parameters.put("resourceVersionMatch", "Exact");
            parameters.remove("limit");
            return new Request(new ApiRequest(
                    request.method(),
                    request.path(),
                    new Query(parameters),
                    request.accept(),
                    request.body(),
                    request.caller(),
                    request.user()));
        }

        public ResourceType type() {
            return RequestPath.read(RequestPath.segments(request.path())).type();
        }

        public String text(String parameter) {
            return request.query().text(parameter);
        }

        public boolean isTrue(String parameter) {
            return request.query().isTrue(parameter);
        }

        public Optional<Long> number(String parameter) {
            return request.query().number(parameter);
        }
    }

    /** Events in the encoding that a watch accepts, of the objects that it selects. */
    public static final class Words {
        private final ObjectWriter writer;
        private final ResourceType type;
        private final Encoding encoding;
        private final FieldSelector selector;

        private Words(ObjectWriter writer, Request watch) {
            this.writer = writer;
            type = watch.type();
            encoding = writer.choose(watch.request, type.typeMeta());
            selector = FieldSelector.parse(watch.text("fieldSelector"), type);
        }

        public String contentType() {
            return encoding.watchContentType();
        }

        public boolean selects(StoredObject object) {
            return selector.matches(object.tree());
        }

        public byte[] event(String name, StoredObject object) {
            return encoding.event(name, writer.whole(encoding, type, object));
        }

        public byte[] bookmark(long version, boolean endsInitialEvents) {
            return Bookmark.frame(encoding, type, version, endsInitialEvents);
        }

        /** @param status as it would be answered to a request */
        public byte[] error(byte[] status) {
            return encoding.event("ERROR", status);
        }
    }
}
