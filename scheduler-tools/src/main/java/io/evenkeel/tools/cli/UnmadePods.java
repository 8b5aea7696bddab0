package io.evenkeel.tools.cli;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.model.json.Trees;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.why.CauseTable.Shortfall;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.Workload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Pods that controllers are to make and have not made, and why: quotas, limits and admission say so to them, as there is no pod to tell. */
record UnmadePods(ApiTransport transport) {
    private static final String ERROR = "Error creating: ";
    private static final String NO_CLASS = "no PriorityClass with name ";
    private static final int MOST_CLASSES = 8;
    private static final Map<String, String> GROUPS = Map.of(
            Workload.JOB, "/apis/batch/v1",
            Workload.CRON_JOB, "/apis/batch/v1",
            Workload.REPLICATION_CONTROLLER, "/api/v1");

    /**
     * How many pods of a workload are not there, and why.
     *
     * @param made how many there are
     * @return empty where none is missing, or that is not known
     * @throws UserProblem if it has no pod and cannot be read
     */
    Optional<Shortfall> of(Workload workload, int made) {
        if (workload.kind().equals(Workload.POD_GROUP)) {
            return Optional.empty();
        }
        Optional<JsonObject> object = get(path(workload));
        if (object.isEmpty() && made == 0) {
            throw new UserProblem(
                    "there is no " + workload.title() + " in " + transport.host() + ", or it may not be read");
        }
        OptionalInt wanted = object.map(UnmadePods::wanted).orElse(OptionalInt.empty());
        return wanted.isPresent() && wanted.getAsInt() > made
                ? Optional.of(
                        shortfall(new ClusterQuestions.Unmade(workload, wanted.getAsInt(), made), object.orElseThrow()))
                : Optional.empty();
    }

    /** The same of one that is known to lack some; empty where nobody says why, as of a StatefulSet that makes one after the other. */
    Optional<Shortfall> of(ClusterQuestions.Unmade unmade) {
        return get(path(unmade.workload()))
                .map(object -> shortfall(unmade, object))
                .filter(shortfall -> !shortfall.why().isEmpty());
    }

    private static String path(Workload workload) {
        return GROUPS.getOrDefault(workload.kind(), "/apis/apps/v1") + "/namespaces/" + workload.namespace() + "/"
                + workload.kind().toLowerCase(Locale.ROOT) + "s/" + workload.name();
    }

    private static OptionalInt wanted(JsonObject object) {
        return switch (Trees.text(object, "kind")) {
            case Workload.CRON_JOB -> OptionalInt.empty();
            case Workload.DAEMON_SET -> OptionalInt.of(number(object, 0, "status", "desiredNumberScheduled"));
            case Workload.JOB -> {
                int atOnce = number(object, 1, "spec", "parallelism");
                int left = number(object, atOnce, "spec", "completions") - number(object, 0, "status", "succeeded");
                boolean isOver = conditions(object).stream()
                        .anyMatch(condition -> isTrue(condition, "Complete") || isTrue(condition, "Failed"));
                yield OptionalInt.of(isOver || Trees.isTrue(object, "spec", "suspend") ? 0 : Math.min(atOnce, left));
            }
            default -> OptionalInt.of(number(object, 1, "spec", "replicas"));
        };
    }

    private static int number(JsonObject object, int otherwise, String... path) {
        return Math.toIntExact(Trees.number(object, path).orElse((long) otherwise));
    }

    private static List<JsonObject> conditions(JsonObject object) {
        return Trees.objects(object, "status", "conditions");
    }

    private static boolean isTrue(JsonObject condition, String type) {
        return Trees.text(condition, "type").equals(type)
                && Trees.text(condition, "status").equals("True");
    }

    private Shortfall shortfall(ClusterQuestions.Unmade unmade, JsonObject object) {
        return conditions(object).stream()
                .filter(condition -> isTrue(condition, "ReplicaFailure"))
                .findFirst()
                .map(condition -> new Shortfall(
                        unmade,
                        completed(Trees.text(condition, "message")),
                        time(Trees.text(condition, "lastTransitionTime"))))
                .or(() -> failedCreate(unmade.workload())
                        .map(event -> new Shortfall(
                                unmade,
                                completed(Trees.text(event, "message")),
                                time(Trees.text(event, "firstTimestamp")).or(() -> time(last(event))))))
                .orElseGet(() -> new Shortfall(unmade, "", Optional.empty()));
    }

    /** The last event of a pod that it, or its ReplicaSet, could not make. */
    private Optional<JsonObject> failedCreate(Workload workload) {
        return get("/api/v1/namespaces/" + workload.namespace() + "/events?fieldSelector=reason%3DFailedCreate")
                .stream()
                .flatMap(events -> Trees.objects(events, "items").stream())
                .filter(event -> Trees.text(event, "reason").equals("FailedCreate"))
                .filter(event -> isOf(workload, event))
                .max(Comparator.comparing(UnmadePods::last));
    }

    private static boolean isOf(Workload workload, JsonObject event) {
        String kind = Trees.text(event, "involvedObject", "kind");
        String name = Trees.text(event, "involvedObject", "name");
        return kind.equals(workload.kind())
                ? name.equals(workload.name())
                : workload.kind().equals(Workload.DEPLOYMENT)
                        && kind.equals(Workload.REPLICA_SET)
                        && name.startsWith(workload.name() + "-")
                        && name.lastIndexOf('-') == workload.name().length();
    }

    private static String last(JsonObject event) {
        String last = Trees.text(event, "lastTimestamp");
        return last.isEmpty() ? Trees.text(event, "metadata", "creationTimestamp") : last;
    }

    private static Optional<Instant> time(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }

    /** Of a class that is not there, which there are. */
    private String completed(String message) {
        String why = message.startsWith(ERROR) ? message.substring(ERROR.length()) : message;
        if (!why.contains(NO_CLASS)) {
            return why;
        }
        List<String> classes = new ArrayList<>();
        get("/apis/scheduling.k8s.io/v1/priorityclasses").stream()
                .flatMap(list -> Trees.objects(list, "items").stream())
                .forEach(each -> classes.add(Trees.text(each, "metadata", "name")));
        return classes.isEmpty()
                ? why
                : why + "; there are " + String.join(", ", classes.subList(0, Math.min(MOST_CLASSES, classes.size())))
                        + (classes.size() > MOST_CLASSES ? " and " + (classes.size() - MOST_CLASSES) + " more" : "");
    }

    /** An object or a list; empty where it may not be read, or is not there. */
    private Optional<JsonObject> get(String path) {
        try {
            Answered answer = Answered.whole(transport, ApiCall.get(path));
            return answer.isSuccess()
                    ? Optional.of(Trees.parse(new String(answer.body(), StandardCharsets.UTF_8)))
                    : Optional.empty();
        } catch (IOException | JsonParseException unknown) {
            return Optional.empty();
        }
    }
}
