package io.evenkeel.hollow.rest;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import java.util.List;
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

    /** The rights of a user, found out by asking the authorizer about everything there is. */
    private record AccessRules(Authorizer authorizer, User user, String namespace) {
        private static final String ALL = "*";
        /** Answered to everybody who is known. */
        private static final List<String> PATHS = List.of(
                "/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez", "/openapi/v2", "/readyz", "/version");

        /** The status of a SelfSubjectRulesReview. */
        JsonObject status() {
            JsonObject status = new JsonObject();
            status.add("resourceRules", resources());
            JsonArray paths = new JsonArray();
            if (allows(new Attributes(ALL, "", "", "", "", ALL))) {
                paths.add(rule(List.of(ALL), "nonResourceURLs", List.of(ALL)));
            }
            paths.add(rule(List.of("get"), "nonResourceURLs", PATHS));
            status.add("nonResourceRules", paths);
            status.addProperty("incomplete", false);
            return status;
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
            JsonObject rule = rule(verbs, "apiGroups", List.of(group));
            rule.add("resources", texts(List.of(resource)));
            return rule;
        }

        private static JsonObject rule(List<String> verbs, String what, List<String> names) {
            JsonObject rule = new JsonObject();
            rule.add("verbs", texts(verbs));
            rule.add(what, texts(names));
            return rule;
        }

        private static JsonArray texts(List<String> texts) {
            JsonArray array = new JsonArray();
            texts.forEach(array::add);
            return array;
        }
    }
}
