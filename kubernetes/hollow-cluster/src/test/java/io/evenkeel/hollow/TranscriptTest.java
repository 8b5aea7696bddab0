package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.hollow.resource.ResourceTable;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What a real server answered to a scheduler's calls, the hollow one answers too. Every call is replayed in order. UIDs,
 * versions and continue tokens of the recording are translated to those met here; what else differs from server to server
 * is left out of the comparison by {@link #normalised}.
 */
class TranscriptTest {

    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    private static final Pattern NUMBERS_IN_MESSAGES = Pattern.compile("\\(\\d+\\)|current: \\d+");
    private static final String WATCHED = "watch pods: create, bind, delete";

    private final Map<String, String> hereByThere = new HashMap<>();

    @Test
    void everyRecordedCallIsAnsweredAsRecorded() throws Exception {
        List<JsonObject> steps = transcript();
        assertThat(steps).hasSize(57);
        try (HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT.withoutServiceAccountTokens());
                TestClient client = new TestClient(cluster)) {
            for (JsonObject step : steps) {
                if (step.getAsJsonObject("response").has("events")) {
                    replayWatch(step, cluster, client);
                } else {
                    replay(step, cluster, client);
                }
            }
        }
    }

    private void replay(JsonObject step, HollowCluster cluster, TestClient client)
            throws IOException, InterruptedException {
        String name = step.get("step").getAsString();
        JsonObject request = step.getAsJsonObject("request");
        JsonObject recorded = step.getAsJsonObject("response");
        HttpResponse<String> response = client.send(
                request.get("method").getAsString(),
                translated(request.get("path").getAsString()),
                body(name, request, recorded),
                request.get("contentType").getAsString(),
                switch (name) {
                    case "no token" -> "";
                    case "bad token" -> "bad";
                    default -> cluster.adminToken();
                });
        assertThat(response.statusCode())
                .as("%s: %s", name, response.body())
                .isEqualTo(recorded.get("status").getAsInt());
        JsonElement actual =
                name.equals("readyz") ? new JsonPrimitive(response.body()) : JsonParser.parseString(response.body());
        learn(recorded.get("body"), actual);
        assertThat(comparable(name, actual)).as(name).isEqualTo(comparable(name, recorded.get("body")));
    }

    /** The pod w1 was created, bound and deleted by other calls while the first watch ran; they are not in the record. */
    private void replayWatch(JsonObject step, HollowCluster cluster, TestClient client)
            throws IOException, InterruptedException {
        String name = step.get("step").getAsString();
        String path = translated(step.getAsJsonObject("request").get("path").getAsString());
        JsonArray recorded = step.getAsJsonObject("response").getAsJsonArray("events");
        JsonArray actual = new JsonArray();
        try (Stream<String> lines = client.watch(path)) {
            if (name.equals(WATCHED)) {
                cluster.objects().create(firstObject(recorded));
                cluster.objects().bind("rec", "w1", "rec-1");
                cluster.objects().deleteNow(ResourceTable.PODS, "rec", "w1");
            }
            lines.forEach(line -> actual.add(JsonParser.parseString(line)));
        }
        assertThat(pretty(normalised(withoutRepeatedBookmarks(actual))))
                .as(name)
                .isEqualTo(pretty(normalised(withoutRepeatedBookmarks(recorded))));
    }

    private static String firstObject(JsonArray events) {
        JsonObject pod =
                events.get(0).getAsJsonObject().getAsJsonObject("object").deepCopy();
        pod.getAsJsonObject("metadata").remove("resourceVersion");
        return pod.toString();
    }

    /** A real server sends one or two bookmarks before the end, by the part of the second in which the watch began. */
    private static JsonArray withoutRepeatedBookmarks(JsonArray events) {
        JsonArray kept = new JsonArray();
        for (JsonElement event : events) {
            boolean repeated = !kept.isEmpty() && kept.get(kept.size() - 1).equals(event);
            if (!repeated) {
                kept.add(event);
            }
        }
        return kept;
    }

    /**
     * The recorder wrote requests down after changing them for the next call: "create lease" shows the version and renewal
     * of the "renew lease" that followed. What was really sent is what the answer shows.
     */
    private String body(String name, JsonObject request, JsonObject recorded) {
        if (name.equals("create lease")) {
            JsonObject lease = recorded.getAsJsonObject("body").deepCopy();
            lease.getAsJsonObject("metadata").remove("resourceVersion");
            return lease.toString();
        }
        JsonElement body = request.get("body");
        return body.isJsonNull() ? "" : translated(body.toString());
    }

    private String translated(String text) {
        String result = text;
        for (Map.Entry<String, String> entry : hereByThere.entrySet()) {
            result = result.replace(entry.getKey(), entry.getValue());
        }
        return result;
    }

    /** Remembers which uid, version and token here stands for which one there. */
    private void learn(JsonElement there, JsonElement here) {
        if (there instanceof JsonObject before && here instanceof JsonObject after) {
            for (String member : before.keySet()) {
                if (List.of("uid", "resourceVersion", "continue").contains(member) && after.has(member)) {
                    hereByThere.put(
                            before.get(member).getAsString(), after.get(member).getAsString());
                } else if (after.has(member)) {
                    learn(before.get(member), after.get(member));
                }
            }
        }
    }

    private static String comparable(String name, JsonElement body) {
        if (name.equals("version")) {
            // the build's own data
            return String.join(" ", new TreeMap<>(body.getAsJsonObject().asMap()).keySet());
        }
        return pretty(normalised(body));
    }

    private static JsonElement normalised(JsonElement element) {
        return switch (element) {
            case JsonObject object -> {
                JsonObject result = new JsonObject();
                for (Map.Entry<String, JsonElement> member : new TreeMap<>(object.asMap()).entrySet()) {
                    switch (member.getKey()) {
                        case "managedFields" -> {}
                        case "uid", "resourceVersion", "continue" -> result.addProperty(member.getKey(), "…");
                        default -> result.add(member.getKey(), normalised(member.getValue()));
                    }
                }
                yield result;
            }
            case JsonArray array -> {
                JsonArray result = new JsonArray();
                array.forEach(each -> result.add(normalised(each)));
                yield result;
            }
            case JsonPrimitive primitive
            when primitive.isString() -> new JsonPrimitive(blanked(primitive.getAsString()));
            default -> element;
        };
    }

    private static String blanked(String text) {
        if (TIME.matcher(text).matches()) {
            return "TIME";
        }
        return NUMBERS_IN_MESSAGES
                .matcher(text)
                .replaceAll("N")
                .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UID");
    }

    private static String pretty(JsonElement element) {
        return new com.google.gson.GsonBuilder()
                .setPrettyPrinting()
                .serializeNulls()
                .create()
                .toJson(element);
    }

    private static List<JsonObject> transcript() throws IOException {
        List<JsonObject> steps = new ArrayList<>();
        try (InputStream in = TranscriptTest.class.getResourceAsStream("/apiserver/transcript.jsonl")) {
            new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .forEach(line -> steps.add(JsonParser.parseString(line).getAsJsonObject()));
        }
        return steps;
    }
}
