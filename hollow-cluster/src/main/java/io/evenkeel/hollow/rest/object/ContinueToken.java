package io.evenkeel.hollow.rest.object;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.status.Refusals;
import java.util.Base64;

/**
 * Where a list goes on.
 *
 * @param version the version whose list this is; -1 to go on with what is there now
 * @param after the path of the last object sent
 */
record ContinueToken(long version, String after) {

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
        JsonObject tree = new JsonObject();
        tree.addProperty("v", "meta.k8s.io/v1");
        tree.addProperty("rv", version);
        tree.addProperty("start", "/" + after + "\0");
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(tree.toString().getBytes(UTF_8));
    }
}
