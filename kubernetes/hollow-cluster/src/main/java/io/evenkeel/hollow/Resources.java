package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.evenkeel.hollow.ApiRequest.Query;
import io.evenkeel.hollow.Encoding.ListMeta;
import io.evenkeel.hollow.ListOptions.FieldSelector;
import io.evenkeel.hollow.ListOptions.ObjectSelector;
import io.evenkeel.hollow.RequestPath.Verb;
import io.evenkeel.hollow.registry.Decoding;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Registry.DeleteOptions;
import io.evenkeel.hollow.registry.Registry.Deleted;
import io.evenkeel.hollow.registry.Registry.Part;
import io.evenkeel.hollow.registry.Registry.Written;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.Patch;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.Store.CompactedException;
import io.evenkeel.hollow.store.Store.Snapshot;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.Schema.KnownFields;
import io.evenkeel.schema.TypeMeta;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The verbs on objects that are stored. */
record Resources(Registry registry, ObjectWriter writer, OpenWatches watches, Tokens tokens) {

    ApiReply serve(ApiRequest request, RequestPath path, Verb verb) {
        if (Subresources.serves(path)) {
            return subresources().serve(request, path);
        }
        ResourceType type = path.type();
        Part part = path.subresource().isEmpty() || path.subresource().equals("finalize") ? Part.OBJECT : Part.STATUS;
        return switch (verb) {
            case LIST ->
                new Lists(registry.store(), writer)
                        .list(request, type, path.namespace(), ListOptions.read(request.query(), type));
            case WATCH -> watches.watch(request, type, path.namespace(), watchOptions(request, path));
            case GET -> writer.reply(200, request, type, registry.get(type, path.namespace(), path.name()));
            case CREATE -> writes().create(request, path);
            case UPDATE -> writes().update(request, path, part);
            case PATCH -> writes().patch(request, path, part);
            case DELETE -> delete(request, path);
            case DELETECOLLECTION -> deleteCollection(request, path);
        };
    }

    /** Whether a write of a claim's status gives it devices or users, or takes them: who may, has a right to that. */
    boolean bindsClaim(ApiRequest request, RequestPath path, Verb verb) {
        if (verb != Verb.UPDATE && verb != Verb.PATCH) {
            return false;
        }
        StoredObject before = registry.get(path.type(), path.namespace(), path.name());
        StoredObject after = verb == Verb.UPDATE
                ? writes().updated(new FieldValidation(path.type(), request.query()), request, path, Part.STATUS, true)
                        .object()
                : writes().patched(new FieldValidation(path.type(), request.query()), request, path, Part.STATUS, true);
        return Stream.of("allocation", "reservedFor")
                .anyMatch(member ->
                        !Trees.at(before.tree(), "status", member).equals(Trees.at(after.tree(), "status", member)));
    }

    private ApiReply delete(ApiRequest request, RequestPath path) {
        ResourceType type = path.type();
        Deleted deleted = registry.delete(type, path.namespace(), path.name(), options(request));
        if (!deleted.gone() || registry.returnsDeleted(type)) {
            return writer.reply(200, request, type, deleted.object());
        }
        return writer.reply(200, request, TypeMeta.STATUS, success(type, deleted.object()));
    }

    private ApiReply deleteCollection(ApiRequest request, RequestPath path) {
        ResourceType type = path.type();
        ObjectSelector selector = ListOptions.read(request.query(), type).selector();
        DeleteOptions options = options(request);
        JsonArray items = new JsonArray();
        for (StoredObject object :
                registry.store().list(type.storage(), path.namespace()).objects()) {
            if (selector.matches(object.tree())) {
                registry.delete(type, object.namespace(), object.name(), options);
                items.add(object.copy());
            }
        }
        JsonObject metadata =
                Trees.of("resourceVersion", Long.toString(registry.store().version()));
        return writer.reply(200, request, type.listTypeMeta(), Trees.of("metadata", metadata, "items", items));
    }

    private static DeleteOptions options(ApiRequest request) {
        DeleteOptions options = DeleteOptions.read(request.objectOrEmpty());
        return request.query()
                .number("gracePeriodSeconds")
                .map(options::withGracePeriod)
                .orElse(options);
    }

    private static ListOptions watchOptions(ApiRequest request, RequestPath path) {
        ListOptions options = ListOptions.read(request.query(), path.type());
        if (path.name().isEmpty()) {
            return options;
        }
        FieldSelector byName = FieldSelector.parse("metadata.name=" + path.name(), path.type());
        return options.selecting(new ObjectSelector(options.selector().labels(), byName));
    }

    private static JsonObject success(ResourceType type, StoredObject object) {
        JsonObject details = Trees.of("name", object.name());
        if (!type.group().isEmpty()) {
            details.addProperty("group", type.group());
        }
        details.addProperty("kind", type.resource());
        details.addProperty("uid", object.uid());
        return Trees.of("metadata", new JsonObject(), "status", "Success", "details", details);
    }

    /** Bindings that are posted to the namespace say themselves which pod they mean. */
    ApiReply bindings(ApiRequest request, RequestPath path, Verb verb) {
        if (verb != Verb.CREATE) {
            throw Refusals.methodNotAllowed();
        }
        String pod = Trees.text(request.object(), "metadata", "name");
        return subresources().serve(request, new RequestPath(ResourceTable.PODS, path.namespace(), pod, "binding"));
    }

    private Writes writes() {
        return new Writes(registry, writer);
    }

    private Subresources subresources() {
        return new Subresources(registry, tokens, writer);
    }

    /** Lists, page by page; all pages show the version of the first. */
    private record Lists(Store store, ObjectWriter writer) {

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
                    JsonObject tree =
                            Trees.parse(new String(Base64.getUrlDecoder().decode(text), UTF_8));
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

    /** The verbs that bring objects, or parts of them. */
    private record Writes(Registry registry, ObjectWriter writer) {

        ApiReply create(ApiRequest request, RequestPath path) {
            ResourceType type = path.type();
            FieldValidation fields = new FieldValidation(type, request.query());
            JsonObject sent = fields.sent(request.object());
            String namespace = path.namespace();
            if (type.namespaced() && namespace.isEmpty()) {
                namespace = Trees.text(sent, "metadata", "namespace");
            }
            StoredObject created = registry.create(type, namespace, sent, request.dryRun());
            List<String> warnings = Stream.concat(
                            fields.warnings().stream(),
                            type
                                    .keptOnly()
                                    .map(words -> "in a hollow cluster this " + type.kind() + " is " + words)
                                    .stream())
                    .toList();
            return writer.reply(201, request, type, created).warning(warnings);
        }

        ApiReply update(ApiRequest request, RequestPath path, Part part) {
            FieldValidation fields = new FieldValidation(path.type(), request.query());
            Written written = updated(fields, request, path, part, request.dryRun());
            return writer.reply(written.created() ? 201 : 200, request, path.type(), written.object())
                    .warning(fields.warnings());
        }

        Written updated(FieldValidation fields, ApiRequest request, RequestPath path, Part part, boolean dryRun) {
            JsonObject sent = fields.sent(request.object());
            return registry.update(path.type(), path.namespace(), path.name(), sent, part, dryRun);
        }

        ApiReply patch(ApiRequest request, RequestPath path, Part part) {
            FieldValidation fields = new FieldValidation(path.type(), request.query());
            StoredObject patched = patched(fields, request, path, part, request.dryRun());
            return writer.reply(200, request, path.type(), patched).warning(fields.warnings());
        }

        StoredObject patched(FieldValidation fields, ApiRequest request, RequestPath path, Part part, boolean dryRun) {
            String contentType = request.body().contentType();
            if (path.type().isCustom() && Patch.isStrategic(contentType)) {
                throw Refusals.unsupportedMediaType(Patch.MEDIA_TYPES.subList(0, 2));
            }
            Patch patch = fields.patch(Patch.read(contentType, request.body().text()));
            return registry.patch(path.type(), path.namespace(), path.name(), patch, part, dryRun);
        }
    }

    /** Treats fields that a kind has not: with a refusal, a warning or nothing, as the parameter fieldValidation says. */
    private static final class FieldValidation {
        private final ResourceType type;
        private final String mode;
        private final List<String> warnings = new ArrayList<>();

        FieldValidation(ResourceType type, Query query) {
            this.type = type;
            this.mode = query.text("fieldValidation");
        }

        /** The object that was sent, without unknown fields. */
        JsonObject sent(JsonObject tree) {
            String kind = Trees.text(tree, "kind");
            if (!kind.isEmpty() && !kind.equals(type.kind())) {
                return tree; // refused for being another kind
            }
            List<String> unknown = unknown(tree);
            if (isStrict() && !unknown.isEmpty()) {
                throw Refusals.unreadable(type, sentence(unknown));
            }
            return tree;
        }

        /** The patched object, without unknown fields. */
        Patch patch(Patch patch) {
            return tree -> {
                JsonObject patched = patch.applyTo(tree);
                Decoding.problem(type, patched).ifPresent(problem -> refuse(patched.toString(), problem));
                String shown = isStrict() ? patched.toString() : "";
                List<String> unknown = unknown(patched);
                if (isStrict() && !unknown.isEmpty()) {
                    refuse(shown, sentence(unknown));
                }
                return patched;
            };
        }

        private static void refuse(String patched, String why) {
            FieldErrors errors = new FieldErrors();
            errors.invalid("patch", patched, why);
            errors.refuse("", "", "");
        }

        List<String> warnings() {
            return List.copyOf(warnings);
        }

        private List<String> unknown(JsonObject tree) {
            List<String> unknown = KnownFields.removeUnknown(type.typeMeta(), tree);
            warnings.clear();
            if (!mode.equals("Ignore")) {
                unknown.forEach(path -> warnings.add("unknown field \"" + path + "\""));
            }
            return unknown;
        }

        private boolean isStrict() {
            return mode.equals("Strict");
        }

        private static String sentence(List<String> unknown) {
            return unknown.stream()
                    .map(path -> "unknown field \"" + path + "\"")
                    .collect(Collectors.joining(", ", "strict decoding error: ", ""));
        }
    }
}
