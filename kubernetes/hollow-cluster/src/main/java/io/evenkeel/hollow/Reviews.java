package io.evenkeel.hollow;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.Authorizer.Attributes;
import io.evenkeel.hollow.RequestPath.Verb;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.function.Supplier;

/** Answers reviews: which user a token or a request is of, and what a user may do. */
record Reviews(Tokens tokens, Supplier<Authorizer> authorizer, ObjectWriter writer) {
    ApiReply answer(ApiRequest request, ResourceType type, Verb verb) {
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
                    case "selfsubjectreviews" -> Trees.of("userInfo", info(request.user()));
                    case "selfsubjectaccessreviews" -> accessStatus(request.user(), review);
                    case "selfsubjectrulesreviews" ->
                        new AccessRules(authorizer.get(), request.user(), Trees.text(review, "spec", "namespace"))
                                .status();
                    default -> accessStatus(subject(review), review);
                });
        return writer.reply(201, request, type.typeMeta(), review);
    }

    private JsonObject tokenStatus(String token) {
        return tokens.userOf(token)
                .map(user -> Trees.of("authenticated", true, "user", info(user)))
                .orElseGet(() -> Trees.of("error", "[invalid bearer token]"));
    }

    private static JsonObject info(User user) {
        return Trees.of("username", user.name(), "groups", user.groups());
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
        return Trees.of("allowed", allowed);
    }

    private static User subject(JsonObject review) {
        return new User(Trees.text(review, "spec", "user"), Trees.texts(review, "spec", "groups"));
    }

    /** The rights of a user, found out by asking the authorizer about everything there is. */
    private record AccessRules(Authorizer authorizer, User user, String namespace) {
        private static final String ALL = "*";
        /** Answered to everybody who is known. */
        private static final List<String> PATHS = List.of(
                "/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez", "/openapi/v2", "/readyz", "/version");

        JsonObject status() {
            JsonArray resources = resources();
            JsonArray paths = new JsonArray();
            if (allows(new Attributes(ALL, "", "", "", "", ALL))) {
                paths.add(Trees.of("verbs", List.of(ALL), "nonResourceURLs", List.of(ALL)));
            }
            paths.add(Trees.of("verbs", List.of("get"), "nonResourceURLs", PATHS));
            return Trees.of("resourceRules", resources, "nonResourceRules", paths, "incomplete", false);
        }

        private JsonArray resources() {
            JsonArray rules = new JsonArray();
            if (allows(new Attributes(ALL, ALL, ALL, "", namespace, ""))) {
                rules.add(resourceRule(List.of(ALL), ALL, ALL));
                return rules;
            }
            for (ResourceType type : ResourceTable.ALL) {
                add(rules, type, "");
                type.subresources().forEach(subresource -> add(rules, type, subresource));
            }
            return rules;
        }

        private void add(JsonArray rules, ResourceType type, String subresource) {
            String where = type.namespaced() ? namespace : "";
            List<String> verbs = Discovery.verbs(type, subresource).stream()
                    .filter(verb -> allows(new Attributes(verb, type.group(), type.resource(), subresource, where, "")))
                    .toList();
            if (!verbs.isEmpty()) {
                rules.add(resourceRule(
                        verbs,
                        type.group(),
                        subresource.isEmpty() ? type.resource() : type.resource() + "/" + subresource));
            }
        }

        private boolean allows(Attributes attributes) {
            return authorizer.allows(user, attributes);
        }

        private static JsonObject resourceRule(List<String> verbs, String group, String resource) {
            return Trees.of("verbs", verbs, "apiGroups", List.of(group), "resources", List.of(resource));
        }
    }
}
