package io.evenkeel.tools.why;

import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.ErrorStatus;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.why.CopyAnswers.QuestionTimedOutException;
import io.evenkeel.tools.why.PlacementRequest.Subject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code why.evenkeel.io/v1alpha1}: the placement of each pod, for users who may {@code get} the subresource
 * {@code pods/placement} in its namespace, of all that wait for this scheduler, for those who may {@code list}
 * {@code placements} there, and the spread of each workload's pods, for those who may {@code list} {@code spreads} there. Pods of
 * other namespaces are named only to those who may in all.
 *
 * @param queue what is known of a pod that waits, by its key, and of others
 * @param server is asked for pods that the engine does not keep: pods that wait for other schedulers
 */
public record PlacementApi(
        CopyAnswers answers,
        Spreads spreads,
        Function<String, QueueKnowledge> queue,
        PodsAtServer server,
        InstantSource clock) {
    static final String GROUP = "why.evenkeel.io";
    static final String VERSION = "v1alpha1";
    private static final String NO_TIME =
            ", and there is no time to tell of them: ask about fewer pods, by namespace or"
                    + " labels; evenkeel why --all tells of all";

    /** For those of most pods; it leaves half of the time for the last one, and for writing them down. */
    private static final Duration FOR_CAUSES = Duration.ofSeconds(5);

    private static final String OWN_ALONE = "pods of other schedulers are not looked at";
    /** How many pods these are to have now is not known. */
    private static final Set<String> UNCOUNTED =
            Set.of(Workload.STATEFUL_SET, Workload.JOB, Workload.CRON_JOB, Workload.DAEMON_SET);

    private static final String ROOT = "/apis/" + GROUP + "/" + VERSION + "/";
    public static final String NAMESPACES = ROOT + "namespaces/";
    static final String OF_ALL_NAMESPACES = ROOT + PlacementRequest.PLACEMENTS;
    static final String SPREADS_OF_ALL_NAMESPACES = ROOT + PlacementRequest.SPREADS;

    public void addTo(Routes routes) {
        Discovery.addTo(routes);
        routes.add(OF_ALL_NAMESPACES, this::answer)
                .add(SPREADS_OF_ALL_NAMESPACES, this::answer)
                .addBelow(NAMESPACES, this::answer);
    }

    Answer answer(Request request) {
        return CopyAnswers.guarded(() -> {
            Optional<PlacementRequest> question = PlacementRequest.of(request);
            if (question.isEmpty()) {
                return ErrorStatus.notFound("", "the server could not find the requested resource");
            }
            answers.requireSynced();
            Requester asker = asker(request, question.get());
            return switch (question.get().subject()) {
                case Subject.One(var name) -> answer(question.get(), name, asker);
                case Subject.Several(var pods) -> answer(question.get(), pods, asker);
                case Subject.Spread() -> spread(question.get(), asker);
            };
        });
    }

    private static Requester asker(Request request, PlacementRequest question) {
        Predicate<Pod> nameable =
                question.ofAll() ? _ -> true : pod -> pod.namespace().equals(question.namespace());
        return new Requester(request.user(), nameable, request.stillThere());
    }

    private Reply answer(PlacementRequest question, String name, Requester asker)
            throws QuestionTimedOutException, TooManyQuestionsException, ExecutionException, IOException {
        return report(question.namespace(), name, asker)
                .map(report -> reply(question, complete(report, question)))
                .orElseGet(() -> noPod(name));
    }

    /** The answer where there is no such pod. */
    public static Reply noPod(String name) {
        return ErrorStatus.notFound("pods", "pods \"" + name + "\" not found, or it has finished");
    }

    /** What there is to say of a pod; empty where there is none, or it has finished. */
    public Optional<PodReport> report(String namespace, String name, Requester asker)
            throws QuestionTimedOutException, TooManyQuestionsException, ExecutionException, IOException {
        String key = namespace + "/" + name;
        QueueKnowledge known = queue.apply(key);
        Optional<PodReport> report = answers.ask(asker, key, (copy, by) -> copy.about(key, known.onTheirWay(), by));
        if (report.isEmpty()) {
            Optional<Pod> unknown =
                    server.find(namespace, name).filter(pod -> !pod.status().isFinished());
            report = unknown.isPresent()
                    ? Optional.of(answers.ask(asker, key, (copy, by) -> copy.about(unknown.get(), by)))
                    : Optional.empty();
        }
        return report.map(there -> known.queued().map(there::inQueue).orElse(there));
    }

    private static PodReport complete(PodReport report, PlacementRequest question) {
        boolean namesOthers = question.ofAll()
                || !(report.state() instanceof PodReport.State.Waits
                        || report.state() instanceof PodReport.State.GangWaits);
        return namesOthers
                ? report
                : report.remarking(
                        "pods of other namespaces are not named, nor was it tried whether their going would help");
    }

    private Reply answer(PlacementRequest question, MeantPods meant, Requester asker)
            throws QuestionTimedOutException, TooManyQuestionsException, ExecutionException {
        Collection<OnItsWay> onTheirWay = queue.apply("").onTheirWay();
        Set<String> decided = onTheirWay.stream().map(each -> each.pod().key()).collect(Collectors.toSet());
        return answers.ask(
                asker,
                question.title(),
                (copy, by) -> copy.beside(
                        onTheirWay,
                        () -> answer(
                                question,
                                meant,
                                copy,
                                pod -> copy.isOwn(pod) && !decided.contains(pod.key()) && meant.isMeant(pod, copy),
                                by)));
    }

    private Reply answer(
            PlacementRequest question, MeantPods meant, ClusterQuestions copy, Predicate<Pod> isMeant, Requester by) {
        Instant end = clock.instant().plus(FOR_CAUSES);
        List<List<Pod>> causes = copy.waiting(isMeant, by);
        List<String> notMade = meant.workload().map(copy::notMade).orElse(List.of());
        Optional<String> unsure = causes.isEmpty()
                ? meant.workload().flatMap(workload -> unsure(workload, copy, notMade))
                : Optional.empty();
        if (unsure.isPresent()) {
            return ErrorStatus.notFound("", unsure.get());
        }
        String remark = Stream.concat(
                        meant.workload().isPresent() ? Stream.of() : Stream.of(OWN_ALONE),
                        copy.seen().stream().map(PodReport.Seen::brief))
                .collect(Collectors.joining("; "));
        Optional<Output> output = question.output();
        List<String> lines = new ArrayList<>();
        if (output.isPresent() && output.get().isForPeople() && causes.isEmpty()) {
            lines.add("no pod waits" + meant.where() + (remark.isEmpty() ? "" : " (" + remark + ")"));
        } else if (output.equals(Optional.of(Output.TEXT)) && (meant.workload().isEmpty() || causes.size() > 1)) {
            lines.add(new CauseTable(copy, by, remark, clock.instant(), question.layout()).of(causes, List.of(), 0));
        } else {
            List<PodReport> reports = new ArrayList<>();
            for (List<Pod> alike : causes) {
                if (reports.isEmpty() || clock.instant().isBefore(end)) {
                    reports.add(complete(copy.about(alike, by), question));
                }
            }
            List<List<Pod>> untold = causes.subList(reports.size(), causes.size());
            if (!untold.isEmpty()) {
                reports.set(reports.size() - 1, reports.getLast().remarking(CauseTable.more(untold) + NO_TIME));
            }
            if (output.isEmpty()) {
                return Reply.json(
                        200,
                        list(Discovery.PLACEMENT, reports, PlacementApi::placement, untold.size())
                                .json());
            }
            reports.forEach(report -> lines.add(output.get().of(report, question.layout())));
        }
        if (output.get().isForPeople()) {
            lines.addAll(notMade);
        }
        return text(output.get(), String.join("\n", lines));
    }

    private Reply spread(PlacementRequest question, Requester asker)
            throws QuestionTimedOutException, TooManyQuestionsException, ExecutionException {
        return answers.ask(asker, question.title(), (copy, _) -> {
            Spreads.Rows found = spreads.of(copy, question.namespace());
            return Reply.json(
                    200,
                    list(Discovery.SPREAD, found.rows(), row -> spread(row, copy.seen()), found.untold())
                            .json());
        });
    }

    /** A workload's name is one of its kind; the item's is one of its namespace. */
    private static Tree spread(Spreads.Row row, Optional<PodReport.Seen> seen) {
        Workload workload = row.workload();
        return object(Discovery.SPREAD)
                .put(
                        "metadata",
                        new Tree()
                                .put("name", workload.kind().toLowerCase(Locale.ROOT) + "." + workload.name())
                                .put("namespace", workload.namespace()))
                .put("status", row.tree().putPresent("seen", seen.map(PodReport.Seen::tree)));
    }

    /** Why it is not known here whether pods of a workload wait, or are missing, though none is known that waits; empty where it is. */
    private static Optional<String> unsure(Workload workload, ClusterQuestions copy, List<String> notMade) {
        if (!notMade.isEmpty()) {
            return Optional.of(notMade.getFirst());
        }
        List<Pod> pods = copy.podsOf(workload);
        if (pods.isEmpty() || !pods.stream().allMatch(copy::isOwn)) {
            return Optional.of("no pods of " + workload + " are known here, or they have another scheduler");
        }
        return UNCOUNTED.contains(workload.kind())
                ? Optional.of("no pod of " + workload + " waits; how many it is to have is not known here")
                : Optional.empty();
    }

    private static Reply reply(PlacementRequest question, PodReport report) {
        return question.output()
                .map(output -> text(output, output.of(report, question.layout())))
                .orElseGet(() -> Reply.json(200, placement(report).json()));
    }

    private static Reply text(Output output, String text) {
        return Reply.of(200, output.mediaType(), text.isEmpty() ? "" : text + "\n");
    }

    private static Tree placement(PodReport report) {
        int slash = report.pod().indexOf('/');
        return object(Discovery.PLACEMENT)
                .put(
                        "metadata",
                        new Tree()
                                .put("name", report.pod().substring(slash + 1))
                                .put("namespace", report.pod().substring(0, slash)))
                .put("status", report.tree());
    }

    private static <T> Tree list(String kind, List<T> told, Function<T, Tree> item, int untold) {
        Tree metadata = new Tree();
        if (untold > 0) {
            metadata.put("remainingItemCount", untold);
        }
        return object(kind + "List").put("metadata", metadata).put("items", told, item);
    }

    private static Tree object(String kind) {
        return new Tree().put("kind", kind).put("apiVersion", GROUP + "/" + VERSION);
    }

    /** Answers what an API server, and kubectl, want to know of an API group before they use it. */
    private static final class Discovery {
        static final String PLACEMENT = "Placement";
        static final String SPREAD = "Spread";

        private static final String GROUP_VERSION = PlacementApi.GROUP + "/" + PlacementApi.VERSION;
        private static final String PREFERRED =
                "{\"groupVersion\":\"" + GROUP_VERSION + "\",\"version\":\"" + PlacementApi.VERSION + "\"}";
        private static final String NAMED = "\"name\":\"" + PlacementApi.GROUP + "\",\"versions\":[" + PREFERRED
                + "],\"preferredVersion\":" + PREFERRED;
        private static final String GROUP = "{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\"," + NAMED + "}";
        private static final String GROUPS =
                "{\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\",\"groups\":[{" + NAMED + "}]}";
        private static final String RESOURCES =
                "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\""
                        + GROUP_VERSION + "\",\"resources\":["
                        + resource("pods/placement", PLACEMENT, "get") + ","
                        + resource(PlacementRequest.PLACEMENTS, PLACEMENT, "list") + ","
                        + resource(PlacementRequest.SPREADS, SPREAD, "list") + "]}";
        /** Without schemas: what is shown of an answer's fields is in docs/why.md. */
        private static final String SWAGGER = "{\"swagger\":\"2.0\",\"info\":{\"title\":\"" + PlacementApi.GROUP
                + "\",\"version\":\"" + PlacementApi.VERSION + "\"},\"paths\":{}}";

        private static final String OPENAPI_3 = "{\"paths\":{}}";

        private Discovery() {}

        private static String resource(String name, String kind, String verb) {
            return "{\"name\":\"" + name + "\",\"singularName\":\"\",\"namespaced\":true,\"kind\":\"" + kind
                    + "\",\"verbs\":[\"" + verb + "\"]}";
        }

        static void addTo(Routes routes) {
            routes.add("/apis", _ -> Reply.json(200, GROUPS))
                    .add("/apis/" + PlacementApi.GROUP, _ -> Reply.json(200, GROUP))
                    .add("/apis/" + GROUP_VERSION, _ -> Reply.json(200, RESOURCES))
                    .add("/openapi/v2", _ -> Reply.json(200, SWAGGER))
                    .add("/openapi/v3", _ -> Reply.json(200, OPENAPI_3));
        }
    }
}
