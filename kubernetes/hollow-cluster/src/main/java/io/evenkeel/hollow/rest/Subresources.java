package io.evenkeel.hollow.rest;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Binding;
import io.evenkeel.hollow.registry.Eviction;
import io.evenkeel.hollow.registry.Scale;
import io.evenkeel.hollow.resource.Patch;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.schema.TypeMeta;
import java.util.Set;

/** Subresources that are not a part of their object. */
public final class Subresources {

    private static final Set<String> SERVED = Set.of("binding", "eviction", "scale", "token");

    private final Binding binding;
    private final Eviction eviction;
    private final Scale scale;
    private final TokenRequests tokens;
    private final ObjectWriter writer;

    public Subresources(Binding binding, Eviction eviction, Scale scale, TokenRequests tokens, ObjectWriter writer) {
        this.binding = binding;
        this.eviction = eviction;
        this.scale = scale;
        this.tokens = tokens;
        this.writer = writer;
    }

    static boolean serves(RequestPath path) {
        return SERVED.contains(path.subresource());
    }

    ApiReply serve(ApiRequest request, RequestPath path) {
        if (path.subresource().equals("scale")) {
            return writer.reply(200, request, Scale.TYPE, scale(request, path));
        }
        if (!request.method().equals("POST")) {
            throw Refusals.methodNotAllowed();
        }
        if (path.subresource().equals("token")) {
            JsonObject issued = tokens.issue(path.namespace(), path.name(), request.objectOrEmpty());
            return writer.reply(201, request, TokenRequests.TYPE, issued);
        }
        if (path.subresource().equals("binding")) {
            binding.bind(path.namespace(), path.name(), request.object(), request.dryRun());
        } else {
            eviction.evict(path.namespace(), path.name(), request.objectOrEmpty());
        }
        return writer.reply(201, request, TypeMeta.STATUS, created());
    }

    private JsonObject scale(ApiRequest request, RequestPath path) {
        return switch (request.method()) {
            case "GET" -> scale.get(path.type(), path.namespace(), path.name());
            case "PUT" -> {
                JsonObject wanted = request.object();
                yield scale.change(path.type(), path.namespace(), path.name(), _ -> wanted);
            }
            case "PATCH" -> {
                Patch patch =
                        Patch.read(request.body().contentType(), request.body().text());
                yield scale.change(path.type(), path.namespace(), path.name(), patch::applyTo);
            }
            default -> throw Refusals.methodNotAllowed();
        };
    }

    private static JsonObject created() {
        JsonObject status = new JsonObject();
        status.add("metadata", new JsonObject());
        status.addProperty("status", "Success");
        status.addProperty("code", 201);
        return status;
    }
}
