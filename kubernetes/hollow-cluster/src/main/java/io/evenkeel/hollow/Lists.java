package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.evenkeel.hollow.Encoding.ListMeta;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.Store.CompactedException;
import io.evenkeel.hollow.store.Store.Snapshot;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.Base64;
import java.util.List;

/** Lists, page by page; all pages show the version of the first. */
record Lists(Store store, ObjectWriter writer) {

    ApiReply list(ApiRequest request, ResourceType type, String namespace, ListOptions options) {
        options.checkForList();
        boolean continued = !options.continueToken().isEmpty();
        if (continued
                && !options.resourceVersion().isEmpty()
                && !options.resourceVersion().equals("0")) {
            throw Refusals.badRequest("specifying resource version is not allowed when using continue");
        }
        Encoding encoding = writer.choose(request, type.listTypeMeta());
        ContinueToken token = continued ? ContinueToken.read(options.continueToken()) : new ContinueToken(-1, "");
        Snapshot snapshot = snapshot(type, namespace, options, token);
        // from its cache a real server answers "any version" in one piece
        boolean paged = options.limit() > 0 && !(options.resourceVersion().equals("0") && !continued);
        Page page = page(snapshot.objects(), options, token, paged ? options.limit() : Long.MAX_VALUE);
        String next = page.following() == 0
                ? ""
                : new ContinueToken(snapshot.version(), path(page.objects().getLast())).text();
        ListMeta meta = new ListMeta(
                Long.toString(snapshot.version()), next, options.selector().isEverything() ? page.following() : -1);
        return ApiReply.stream(
                encoding.mediaType(),
                out -> encoding.list(
                        out,
                        type.listTypeMeta(),
                        meta,
                        page.objects().stream()
                                .map(object -> writer.body(encoding, type, object))
                                .toList()));
    }

    private Snapshot snapshot(ResourceType type, String namespace, ListOptions options, ContinueToken token) {
        long current = store.version();
        if (options.version() > current) {
            throw Refusals.tooLargeVersion(options.version(), current);
        }
        if (token.version() > current) {
            throw Refusals.tooLargeVersion(token.version(), current);
        }
        try {
            if (token.version() > 0) {
                return store.listAt(token.version(), type.storage(), namespace);
            }
            if (options.exact()) {
                return store.listAt(options.version(), type.storage(), namespace);
            }
            return store.list(type.storage(), namespace);
        } catch (CompactedException e) {
            throw token.version() > 0
                    ? Refusals.continueExpired(new ContinueToken(-1, token.after()).text())
                    : Refusals.expired("The resourceVersion for the provided list is too old.");
        }
    }

    private static Page page(List<StoredObject> objects, ListOptions options, ContinueToken token, long limit) {
        List<StoredObject> selected = objects.stream()
                .filter(object -> token.after().isEmpty() || path(object).compareTo(token.after()) > 0)
                .filter(object -> options.selector().matches(object.tree()))
                .toList();
        int size = (int) Math.min(limit, selected.size());
        return new Page(selected.subList(0, size), selected.size() - size);
    }

    private static String path(StoredObject object) {
        return object.namespace().isEmpty() ? object.name() : object.namespace() + "/" + object.name();
    }

    private record Page(List<StoredObject> objects, long following) {}

    /**
     * Where a list goes on.
     *
     * @param version version of the listed objects; -1 for the current one
     * @param after the path of the last object sent
     */
    private record ContinueToken(long version, String after) {

        static ContinueToken read(String text) {
            try {
                JsonObject tree = Trees.parse(new String(Base64.getUrlDecoder().decode(text), UTF_8));
                String start = Trees.text(tree, "start");
                long version = Trees.number(tree, "rv").orElse(0L);
                if (Trees.text(tree, "v").equals("meta.k8s.io/v1") && version != 0 && start.endsWith("\0")) {
                    return new ContinueToken(version, start.substring(1, start.length() - 1));
                }
            } catch (IllegalArgumentException | IllegalStateException | JsonParseException e) {
                // answered below, as any other token that this server has not made
            }
            throw Refusals.badRequest("continue key is not valid: " + text);
        }

        String text() {
            JsonObject tree = Trees.of("v", "meta.k8s.io/v1", "rv", version, "start", "/" + after + "\0");
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(tree.toString().getBytes(UTF_8));
        }
    }
}
