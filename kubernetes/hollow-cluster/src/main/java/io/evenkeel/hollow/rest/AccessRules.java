package io.evenkeel.hollow.rest;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.rest.request.Attributes;
import io.evenkeel.hollow.rest.request.Authorizer;
import io.evenkeel.hollow.rest.request.User;
import java.util.List;

/** The rights of a user, found out by asking the authorizer about everything there is. */
record AccessRules(Authorizer authorizer, User user, String namespace) {
    private static final String ALL = "*";
    /** Answered to everybody who is known. */
    private static final List<String> PATHS =
            List.of("/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez", "/openapi/v2", "/readyz", "/version");

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
