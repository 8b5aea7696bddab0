package io.evenkeel.hollow.rest;

import io.evenkeel.hollow.resource.ApiException;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.rest.object.Resources;
import io.evenkeel.hollow.rest.object.Verb;
import io.evenkeel.hollow.rest.request.ApiReply;
import io.evenkeel.hollow.rest.request.ApiRequest;
import io.evenkeel.hollow.rest.request.Attributes;
import io.evenkeel.hollow.rest.request.Authorizer;
import io.evenkeel.hollow.rest.request.ImpersonatedUser;
import io.evenkeel.hollow.rest.request.RequestPath;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Sends a request to who answers it. */
final class Router {

    private final Resources resources;
    private final Reviews reviews;
    private final Supplier<Authorizer> authorizer;

    Router(Resources resources, Reviews reviews, Supplier<Authorizer> authorizer) {
        this.resources = resources;
        this.reviews = reviews;
        this.authorizer = authorizer;
    }

    /** The attributes of the request, for authorization, faults and the log. */
    Attributes attributes(ApiRequest request, List<String> segments) {
        if (isForObjects(segments)) {
            try {
                RequestPath path = RequestPath.read(segments);
                String verb = Verb.of(request, path).lowerCase();
                return new Attributes(
                        verb,
                        path.type().group(),
                        path.type().resource(),
                        path.subresource(),
                        path.namespace(),
                        path.name());
            } catch (ApiException e) {
                // a path that nothing answers to is about nothing; route() refuses it
            }
        }
        return new Attributes(request.method().toLowerCase(Locale.ROOT), "", "", "", "", request.path());
    }

    ApiReply route(ApiRequest request, List<String> segments, Attributes attributes) {
        ImpersonatedUser.check(authorizer.get(), request);
        if (!isForObjects(segments)) {
            return aboutTheServer(request, segments);
        }
        RequestPath path = RequestPath.read(segments);
        Verb verb = Verb.of(request, path);
        if (!authorizer.get().allows(request.user(), attributes)) {
            throw forbidden(request, path, attributes);
        }
        if (path.type().equals(ResourceTable.BINDINGS)) {
            return resources.bindings(request, path, verb);
        }
        return path.type().stored() ? resources.serve(request, path, verb) : reviews.answer(request, path.type(), verb);
    }

    private static boolean isForObjects(List<String> segments) {
        return !segments.isEmpty()
                && (segments.getFirst().equals("api") || segments.getFirst().equals("apis"))
                && !Discovery.serves(segments);
    }

    private static ApiReply aboutTheServer(ApiRequest request, List<String> segments) {
        if (!request.method().equals("GET") || segments.isEmpty()) {
            throw Refusals.noSuchPath();
        }
        return switch (segments.getFirst()) {
            case "api", "apis" -> ApiReply.json(200, Discovery.answer(segments));
            case "version" -> ApiReply.json(200, ServerVersion.answer());
            case "livez", "readyz", "healthz" -> ApiReply.text("ok");
            case "openapi" -> OpenApi.answer(request.path());
            default -> throw Refusals.noSuchPath();
        };
    }

    private static ApiException forbidden(ApiRequest request, RequestPath path, Attributes attributes) {
        String where =
                path.namespace().isEmpty() ? "at the cluster scope" : "in the namespace \"" + path.namespace() + "\"";
        return Refusals.forbidden(
                path.type(),
                path.name(),
                "User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s"
                        .formatted(
                                request.user().name(),
                                attributes.verb(),
                                attributes.resourcePath(),
                                path.type().group(),
                                where));
    }
}
