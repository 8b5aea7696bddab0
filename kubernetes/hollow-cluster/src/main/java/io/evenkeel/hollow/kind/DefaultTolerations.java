package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import java.util.List;

/** Pods stay five minutes on a node that fails, unless they say otherwise. */
final class DefaultTolerations {

    private static final List<String> KEYS = List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    private DefaultTolerations() {}

    public static void add(JsonObject spec) {
        for (String key : KEYS) {
            boolean said = Trees.objects(spec, "tolerations").stream()
                    .anyMatch(each -> isOr(each, "key", key) && isOr(each, "effect", "NoExecute"));
            if (!said) {
                JsonObject toleration = new JsonObject();
                toleration.addProperty("key", key);
                toleration.addProperty("operator", "Exists");
                toleration.addProperty("effect", "NoExecute");
                toleration.addProperty("tolerationSeconds", 300);
                Trees.ensureArray(spec, "tolerations").add(toleration);
            }
        }
    }

    private static boolean isOr(JsonObject toleration, String member, String value) {
        String actual = Trees.text(toleration, member);
        return actual.isEmpty() || actual.equals(value);
    }
}
