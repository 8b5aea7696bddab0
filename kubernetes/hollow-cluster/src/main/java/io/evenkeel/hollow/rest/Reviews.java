package io.evenkeel.hollow.rest;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.rest.object.Verb;
import io.evenkeel.hollow.rest.request.ApiReply;
import io.evenkeel.hollow.rest.request.ApiRequest;
import io.evenkeel.hollow.rest.request.Attributes;
import io.evenkeel.hollow.rest.request.Authorizer;
import io.evenkeel.hollow.rest.request.ObjectWriter;
import io.evenkeel.hollow.rest.request.Tokens;
import io.evenkeel.hollow.rest.request.User;
import io.evenkeel.model.json.Trees;
import java.util.function.Supplier;

/** Answers reviews: which user a token or a request is of, and what a user may do. */
final class Reviews {

    private final Tokens tokens;
    private final Supplier<Authorizer> authorizer;
    private final ObjectWriter writer;

    public Reviews(Tokens tokens, Supplier<Authorizer> authorizer, ObjectWriter writer) {
        this.tokens = tokens;
        this.authorizer = authorizer;
        this.writer = writer;
    }

    public ApiReply answer(ApiRequest request, ResourceType type, Verb verb) {
        if (verb != Verb.CREATE) {
            throw Refusals.methodNotAllowed();
        }
        JsonObject review = request.object();
        review.remove("kind");
        review.remove("apiVersion");
        Trees.ensureObject(review, "metadata");
        review.add(
                "status",
                switch (type.resource()) {
                    case "tokenreviews" -> tokenStatus(Trees.text(review, "spec", "token"));
                    case "selfsubjectreviews" -> selfStatus(request.user());
                    case "selfsubjectaccessreviews" -> accessStatus(request.user(), review);
                    case "selfsubjectrulesreviews" ->
                        new AccessRules(authorizer.get(), request.user(), Trees.text(review, "spec", "namespace"))
                                .status();
                    default -> accessStatus(subject(review), review);
                });
        return writer.reply(201, request, type.typeMeta(), review);
    }

    private JsonObject tokenStatus(String token) {
        JsonObject status = new JsonObject();
        tokens.userOf(token)
                .ifPresentOrElse(
                        user -> {
                            status.addProperty("authenticated", true);
                            status.add("user", info(user));
                        },
                        () -> status.addProperty("error", "[invalid bearer token]"));
        return status;
    }

    private static JsonObject selfStatus(User user) {
        JsonObject status = new JsonObject();
        status.add("userInfo", info(user));
        return status;
    }

    private static JsonObject info(User user) {
        JsonArray groups = new JsonArray();
        user.groups().forEach(groups::add);
        JsonObject info = new JsonObject();
        info.addProperty("username", user.name());
        info.add("groups", groups);
        return info;
    }

    private JsonObject accessStatus(User user, JsonObject review) {
        JsonObject asked = Trees.object(review, "spec", "resourceAttributes")
                .orElseGet(() ->
                        Trees.object(review, "spec", "nonResourceAttributes").orElseGet(JsonObject::new));
        boolean allowed = authorizer
                .get()
                .allows(
                        user,
                        new Attributes(
                                Trees.text(asked, "verb"),
                                Trees.text(asked, "group"),
                                Trees.text(asked, "resource"),
                                Trees.text(asked, "subresource"),
                                Trees.text(asked, "namespace"),
                                Trees.text(asked, asked.has("path") ? "path" : "name")));
        JsonObject status = new JsonObject();
        status.addProperty("allowed", allowed);
        return status;
    }

    private static User subject(JsonObject review) {
        return new User(Trees.text(review, "spec", "user"), Trees.texts(review, "spec", "groups"));
    }
}
