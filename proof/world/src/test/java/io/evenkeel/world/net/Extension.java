package io.evenkeel.world.net;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.config.Extender;
import io.evenkeel.config.Extender.ManagedResource;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.json.Trees;
import io.evenkeel.world.check.Advice;
import io.evenkeel.world.life.Life;
import io.evenkeel.world.play.Choices;
import io.evenkeel.world.play.SimulatedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;

/**
 * An extender as one process reaches it: it turns nodes away at will, gives scores, and binds, where it is asked to; and what it is
 * asked and what it answers is lost, late, doubled and refused as what a server is asked. In calm weather all nodes pass.
 */
public final class Extension implements Interceptor {
    /** Why it turns nodes away, which is a whim. */
    private static final String NOT_NOW = "not now";

    /** So long that no clock but the world's ends a call. */
    private static final Duration FOREVER = Duration.ofDays(1);

    private final SimulatedProcess process;
    private final Weather weather;
    private final Servers servers;
    private final Advice advice;
    private final Consumer<Supplier<String>> story;

    /**
     * As one process reaches it.
     *
     * @param advice hears what is asked, and what comes back
     */
    public Extension(
            SimulatedProcess process,
            Weather weather,
            Servers servers,
            Advice advice,
            Consumer<Supplier<String>> story) {
        this.process = process;
        this.weather = weather;
        this.servers = servers;
        this.advice = advice;
        this.story = story;
    }

    /** So much that what plugins think of nodes does not matter where the extender thinks something. */
    private static final int WEIGHT = 1_000;

    /** How a scheduler is told of one: of all pods or of some, that may be ignored, or that must be heard and perhaps binds. */
    public static Extender configured(Choices choices) {
        boolean ofAll = choices.oneIn(2);
        boolean ignorable = choices.oneIn(2);
        boolean binds = !ignorable && choices.oneIn(2);
        return new Extender(
                "http://extender.example.com",
                "filter",
                "",
                "prioritize",
                WEIGHT,
                binds ? "bind" : "",
                false,
                Optional.empty(),
                FOREVER,
                true,
                List.of(new ManagedResource(Life.PART, true), new ManagedResource(ofAll ? "cpu" : Life.PART, true)),
                ignorable);
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        Weather.Fate fate = weather.fate(true, false);
        String verb = request.url().pathSegments().getLast();
        JsonObject question = question(request);
        if (verb.equals("filter")) {
            advice.asks(pod(question), Trees.texts(question, "NodeNames"));
        }
        await();
        Response response = switch (fate) {
            case REQUEST_LOST, OVERDUE -> throw new IOException("no answer");
            case REFUSED_429, REFUSED_500, REFUSED_503, FORBIDDEN, BAD_GATEWAY, LIE -> response(request, 500, "{}");
            case ANSWER_LOST, CUT -> {
                answer(verb, question);
                throw new IOException("no answer");
            }
            case DONE_AND_REFUSED -> {
                answer(verb, question);
                yield response(request, 503, "{}");
            }
            case GARBLED -> {
                answer(verb, question);
                yield response(request, 200, "<html>");
            }
            case DOUBLED -> {
                answer(verb, question);
                yield response(request, 200, heard(verb, question));
            }
            case ANSWERED -> response(request, 200, heard(verb, question));
        };
        await();
        story.accept(() -> "asks an extender to " + verb + ", which is " + fate);
        return response;
    }

    private void await() throws IOException {
        try {
            process.sleeper().sleep(weather.latency());
        } catch (InterruptedException killed) {
            throw new IOException(killed);
        }
        if (process.isKilled()) {
            throw SimulatedProcess.gone();
        }
    }

    private static JsonObject question(Request request) throws IOException {
        Buffer body = new Buffer();
        Objects.requireNonNull(request.body()).writeTo(body);
        return Trees.parse(body.readUtf8());
    }

    private static Response response(Request request, int code, String body) {
        return new Response.Builder()
                .request(request)
                .protocol(Protocol.HTTP_1_1)
                .code(code)
                .message("")
                .body(ResponseBody.create(body, MediaType.get("application/json")))
                .build();
    }

    private String heard(String verb, JsonObject question) {
        JsonElement answer = answer(verb, question);
        switch (verb) {
            case "filter" -> advice.leaves(pod(question), Trees.texts(answer.getAsJsonObject(), "NodeNames"));
            case "prioritize" -> advice.scores(pod(question), points(question));
            default -> {}
        }
        return answer.toString();
    }

    private JsonElement answer(String verb, JsonObject question) {
        return switch (verb) {
            case "filter" -> passing(Trees.texts(question, "NodeNames"));
            case "prioritize" -> scores(points(question));
            default -> bound(question);
        };
    }

    /** Its UID. */
    private static String pod(JsonObject question) {
        return Trees.text(question, "Pod", "metadata", "uid");
    }

    private JsonObject passing(List<String> nodes) {
        JsonArray left = new JsonArray();
        JsonObject failed = new JsonObject();
        for (String node : nodes) {
            if (weather.turnsAway()) {
                failed.addProperty(node, NOT_NOW);
            } else {
                left.add(node);
            }
        }
        JsonObject answer = new JsonObject();
        answer.add("NodeNames", left);
        answer.add("FailedNodes", failed);
        return answer;
    }

    /** Some for each node, and others for another pod. */
    private static Map<String, Long> points(JsonObject question) {
        Map<String, Long> points = new TreeMap<>();
        for (String node : Trees.texts(question, "NodeNames")) {
            points.put(node, (long) Math.floorMod((pod(question) + node).hashCode(), 11));
        }
        return points;
    }

    private static JsonArray scores(Map<String, Long> points) {
        JsonArray scores = new JsonArray();
        points.forEach((node, some) -> {
            JsonObject score = new JsonObject();
            score.addProperty("Host", node);
            score.addProperty("Score", some);
            scores.add(score);
        });
        return scores;
    }

    private JsonObject bound(JsonObject order) {
        String namespace = Trees.text(order, "PodNamespace");
        String pod = Trees.text(order, "PodName");
        Reply reply = servers.answer(ApiCall.send(
                "POST",
                "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/binding",
                "application/json",
                """
                {"apiVersion":"v1","kind":"Binding","metadata":{"name":"%s","namespace":"%s","uid":"%s"},\
                "target":{"apiVersion":"v1","kind":"Node","name":"%s"}}\
                """.formatted(pod, namespace, Trees.text(order, "PodUID"), Trees.text(order, "Node"))));
        JsonObject answer = new JsonObject();
        answer.addProperty("Error", reply.code() < 300 ? "" : "refused with " + reply.code());
        return answer;
    }
}
