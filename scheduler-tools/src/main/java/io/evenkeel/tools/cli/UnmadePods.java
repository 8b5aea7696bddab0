package io.evenkeel.tools.cli;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.json.Trees;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.why.CauseTable.Shortfall;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.MeantPods;
import io.evenkeel.tools.why.Workload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Pods that controllers are to make and have not made, and why: quotas, limits and admission say so to them, as there is no pod to
 * tell. How many they are is counted at each question; why is asked of the server again after a pause.
 */
final class UnmadePods {
    static final Duration PAUSE = Duration.ofSeconds(10);

    private static final int MOST_OWNERS = 50;
    private static final int MOST_CLASSES = 8;
    private static final String BEFORE = "^(\\(combined from similar events\\): )?(Error creating: )?";
    private static final String MADE_UP = "-[bcdfghjklmnpqrstvwxz2456789]{5}";
    private static final String NO_CLASS = "no PriorityClass with name ";
    private static final String FAILED = "FailedCreate";
    private static final Map<String, String> GROUPS = Map.of(
            Workload.JOB, "/apis/batch/v1",
            Workload.CRON_JOB, "/apis/batch/v1",
            Workload.REPLICATION_CONTROLLER, "/api/v1");
    /** The kinds with a condition that says so as long as it is so, in the words of the first refusal. Of others there are but events. */
    private static final Set<String> WITH_CONDITION =
            Set.of(Workload.REPLICA_SET, Workload.REPLICATION_CONTROLLER, Workload.DEPLOYMENT);

    /** The kinds that make pods one after another, or a while after one failed: fewer of them are nothing to tell without a reason. */
    private static final Set<String> TAKING_TURNS = Set.of(Workload.STATEFUL_SET, Workload.JOB);

    /** The conditions of a Job that makes no more pods; the first two come before the pods that still run have ended. */
    private static final Set<String> JOB_OVER = Set.of("SuccessCriteriaMet", "FailureTarget", "Complete", "Failed");

    private final ApiTransport transport;
    private final ClusterQuestions questions;
    private final MeantPods asked;
    private final LongSupplier nanos;
    private OptionalLong lookedAt = OptionalLong.empty();
    private List<Owner> unwatched = List.of();
    private Map<String, Reason> reasons = Map.of();
    private int notLookedAt;

    /** Who is to make pods, and how many. */
    private record Owner(Workload workload, String uid, String title, int wanted) {}

    /**
     * Why an owner makes none.
     *
     * @param since when that was said first
     */
    private record Reason(String why, Optional<Instant> since) {}

    /** @param notLookedAt how many other owners have fewer pods than they are to have */
    record Told(List<Shortfall> shortfalls, int notLookedAt) {}

    /** @param nanos how much time has passed */
    UnmadePods(ApiTransport transport, ClusterQuestions questions, MeantPods asked, LongSupplier nanos) {
        this.transport = transport;
        this.questions = questions;
        this.asked = asked;
        this.nanos = nanos;
    }

    /**
     * Tells how things are now, as far as they were looked at.
     *
     * @throws UserProblem if a workload was named that has no pod and cannot be read
     */
    Told told() {
        boolean isOfPods = asked.labels().isPresent()
                || asked.workload()
                        .filter(workload -> workload.kind().equals(Workload.POD_GROUP))
                        .isPresent();
        if (isOfPods) {
            return new Told(List.of(), 0);
        }
        long now = nanos.getAsLong();
        if (lookedAt.isEmpty() || now - lookedAt.getAsLong() >= PAUSE.toNanos()) {
            lookedAt = OptionalLong.of(now);
            new Look().look();
        }
        Map<String, Integer> made = questions.podsByOwner();
        List<Shortfall> shortfalls = lacking(made)
                .flatMap(owner -> Optional.ofNullable(reasons.get(owner.uid))
                        .or(() -> asked.workload()
                                .filter(_ -> !TAKING_TURNS.contains(owner.workload.kind()))
                                .map(_ -> new Reason("", Optional.empty())))
                        .map(reason -> new Shortfall(
                                owner.title, owner.wanted, made.getOrDefault(owner.uid, 0), reason.why, reason.since))
                        .stream())
                .toList();
        return new Told(shortfalls, notLookedAt);
    }

    private Stream<Owner> lacking(Map<String, Integer> made) {
        return Stream.concat(watched(), unwatched.stream())
                .filter(owner -> owner.wanted > made.getOrDefault(owner.uid, 0));
    }

    /** A Deployment makes pods by its ReplicaSets, and says to each of them how many. */
    private Stream<Owner> watched() {
        return questions.owners().filter(this::isMeant).map(owner -> {
            Workload workload = new Workload(
                    owner.kindName(), owner.meta().namespace(), owner.meta().name());
            String above = owner.meta()
                    .controller()
                    .map(controller -> " of " + controller.kind() + " " + controller.name())
                    .orElse("");
            return new Owner(workload, owner.meta().uid(), workload.title() + above, owner.replicas());
        });
    }

    private boolean isMeant(WorkloadOwner owner) {
        return !owner.meta().terminating()
                && asked.workload()
                        .map(workload -> ClusterQuestions.isOf(owner, workload))
                        .orElseGet(() -> asked.namespace()
                                .map(owner.meta().namespace()::equals)
                                .orElse(true));
    }

    /** Whether a workload can be read. */
    static boolean isThere(Workload workload, ApiTransport transport) {
        return !workload.kind().equals(Workload.POD_GROUP)
                && get(path(workload), transport).isPresent();
    }

    private static String path(Workload workload) {
        return GROUPS.getOrDefault(workload.kind(), "/apis/apps/v1") + "/namespaces/" + workload.namespace() + "/"
                + workload.kind().toLowerCase(Locale.ROOT) + "s/" + workload.name();
    }

    /** A look at the server, which is asked once about each object. */
    private final class Look {
        private final Map<Workload, Optional<JsonObject>> objects = new HashMap<>();
        private List<JsonObject> failed = List.of();

        void look() {
            Optional<Workload> one = asked.workload();
            one.ifPresent(this::requireThere);
            failed = ofReason(FAILED, events(one.map(Workload::namespace).or(asked::namespace), "reason%3D" + FAILED));
            boolean areToldByEvents = one.map(workload -> workload.kind().equals(Workload.CRON_JOB))
                    .orElse(true);
            List<Workload> others = areToldByEvents
                    ? unwatchedOf(failed)
                    : one.filter(_ -> watched().findAny().isEmpty()).stream().toList();
            unwatched = others.stream()
                    .limit(MOST_OWNERS)
                    .flatMap(workload -> owner(workload).stream())
                    .toList();
            Set<String> failing =
                    failed.stream().map(event -> involved(event, "uid")).collect(Collectors.toSet());
            List<Owner> lacking = lacking(questions.podsByOwner())
                    .sorted(Comparator.comparing((Owner owner) -> !failing.contains(owner.uid)))
                    .toList();
            notLookedAt = Math.max(0, lacking.size() - MOST_OWNERS) + Math.max(0, others.size() - MOST_OWNERS);
            reasons = new HashMap<>();
            lacking.stream()
                    .limit(MOST_OWNERS)
                    .forEach(owner -> reason(owner).ifPresent(reason -> reasons.put(owner.uid, reason)));
        }

        private Optional<JsonObject> object(Workload workload) {
            return objects.computeIfAbsent(workload, _ -> get(path(workload)));
        }

        private void requireThere(Workload workload) {
            if (object(workload).isEmpty() && questions.podsOf(workload).isEmpty()) {
                throw new UserProblem(
                        "there is no " + workload.title() + " in " + transport.host() + ", or it may not be read");
            }
        }

        private Optional<Owner> owner(Workload workload) {
            return object(workload)
                    .map(object -> new Owner(
                            workload, Trees.text(object, "metadata", "uid"), workload.title(), wanted(object)));
        }

        /** The Jobs and DaemonSets that events tell of. */
        private List<Workload> unwatchedOf(List<JsonObject> events) {
            return events.stream()
                    .filter(event -> Set.of(Workload.JOB, Workload.DAEMON_SET).contains(involved(event, "kind")))
                    .map(event -> new Workload(
                            involved(event, "kind"), involved(event, "namespace"), involved(event, "name")))
                    .filter(workload -> asked.workload().map(workload::isJobOf).orElse(true))
                    .distinct()
                    .toList();
        }

        private Optional<Reason> reason(Owner owner) {
            if (!WITH_CONDITION.contains(owner.workload.kind())) {
                return reasonOfEvents(owner);
            }
            return object(owner.workload).stream()
                    .flatMap(object -> Trees.objects(object, "status", "conditions").stream())
                    .filter(condition -> isTrue(condition, "ReplicaFailure"))
                    .findFirst()
                    .map(condition -> {
                        String since = Trees.text(condition, "lastTransitionTime");
                        JsonObject last = last(failed, owner)
                                .filter(event -> time(event).compareTo(since) >= 0)
                                .orElse(condition);
                        return new Reason(why(last, owner), instant(since));
                    });
        }

        /** Of an owner that has made no pod since. */
        private Optional<Reason> reasonOfEvents(Owner owner) {
            Optional<JsonObject> last = last(failed, owner);
            if (last.isEmpty()) {
                return Optional.empty();
            }
            List<JsonObject> all = events(Optional.of(owner.workload.namespace()), "involvedObject.uid%3D" + owner.uid);
            String made = last(ofReason("SuccessfulCreate", all), owner)
                    .map(UnmadePods::time)
                    .orElse("");
            return last.filter(event -> time(event).compareTo(made) >= 0)
                    .map(event -> new Reason(
                            why(event, owner),
                            failed.stream()
                                    .filter(each -> involved(each, "uid").equals(owner.uid))
                                    .map(each -> Trees.text(each, "firstTimestamp"))
                                    .filter(first -> first.compareTo(made) >= 0)
                                    .min(Comparator.naturalOrder())
                                    .flatMap(UnmadePods::instant)));
        }
    }

    private static List<JsonObject> ofReason(String reason, List<JsonObject> events) {
        return events.stream()
                .filter(event -> Trees.text(event, "reason").equals(reason))
                .toList();
    }

    /** The last event of an owner. An earlier one of that name had another UID. */
    private static Optional<JsonObject> last(List<JsonObject> events, Owner owner) {
        return events.stream()
                .filter(event -> involved(event, "uid").equals(owner.uid))
                .max(Comparator.comparing(UnmadePods::time));
    }

    private static int wanted(JsonObject object) {
        return switch (Trees.text(object, "kind")) {
            case Workload.CRON_JOB -> 0;
            case Workload.DAEMON_SET -> number(object, 0, "status", "desiredNumberScheduled");
            case Workload.JOB -> {
                int atOnce = number(object, 1, "spec", "parallelism");
                int succeeded = number(object, 0, "status", "succeeded");
                boolean isOver = Trees.isTrue(object, "spec", "suspend")
                        || Trees.objects(object, "status", "conditions").stream()
                                .anyMatch(condition -> JOB_OVER.stream().anyMatch(type -> isTrue(condition, type)));
                int left = number(object, succeeded == 0 ? atOnce : succeeded, "spec", "completions")
                        - succeeded
                        - indexes(Trees.text(object, "status", "failedIndexes"));
                yield isOver ? 0 : Math.min(atOnce, left);
            }
            default -> number(object, 1, "spec", "replicas");
        };
    }

    /** How many these are, as in {@code 1,3-5}: with backoffLimitPerIndex those that are not tried again. */
    private static int indexes(String ranges) {
        return Arrays.stream(ranges.split(","))
                .filter(range -> !range.isEmpty())
                .map(range -> range.split("-"))
                .mapToInt(ends -> Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1)
                .sum();
    }

    private static int number(JsonObject object, int otherwise, String... path) {
        return Math.toIntExact(Trees.number(object, path).orElse((long) otherwise));
    }

    private static boolean isTrue(JsonObject condition, String type) {
        return Trees.text(condition, "type").equals(type)
                && Trees.text(condition, "status").equals("True");
    }

    private List<JsonObject> events(Optional<String> namespace, String fieldSelector) {
        return get("/api/v1" + namespace.map(name -> "/namespaces/" + name).orElse("") + "/events?fieldSelector="
                        + fieldSelector)
                .stream()
                .flatMap(list -> Trees.objects(list, "items").stream())
                .toList();
    }

    private static String involved(JsonObject event, String field) {
        return Trees.text(event, "involvedObject", field);
    }

    private static String time(JsonObject event) {
        String last = Trees.text(event, "lastTimestamp");
        return last.isEmpty() ? Trees.text(event, "metadata", "creationTimestamp") : last;
    }

    private static Optional<Instant> instant(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }

    /** Without the ending of a pod's name, which each attempt makes up; of a class that is not there, which there are. */
    private String why(JsonObject said, Owner owner) {
        String why = Trees.text(said, "message")
                .replaceFirst(BEFORE, "")
                .replaceAll(
                        '"' + Pattern.quote(owner.workload.name()) + MADE_UP + '"',
                        '"' + owner.workload.name() + "-\"");
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
        return get(path, transport);
    }

    private static Optional<JsonObject> get(String path, ApiTransport transport) {
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
