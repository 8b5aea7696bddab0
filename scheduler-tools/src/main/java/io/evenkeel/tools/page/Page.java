package io.evenkeel.tools.page;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.CompanionProvider;
import io.evenkeel.app.companion.Surroundings;
import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.Answer.StreamedReply;
import io.evenkeel.app.http.ErrorStatus;
import io.evenkeel.app.http.Parameters;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.Routes.Endpoint;
import io.evenkeel.app.option.PodName;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.write.Tree;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.tools.observe.WorkloadTable;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.simulate.WhatIf;
import io.evenkeel.tools.why.BadQuestionException;
import io.evenkeel.tools.why.CauseTable;
import io.evenkeel.tools.why.ClusterCopy;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.CopyAnswers;
import io.evenkeel.tools.why.CopyAnswers.QuestionTimedOutException;
import io.evenkeel.tools.why.PlacementApi;
import io.evenkeel.tools.why.PodReport;
import io.evenkeel.tools.why.Questions;
import io.evenkeel.tools.why.Requester;
import io.evenkeel.tools.why.Spreads;
import io.evenkeel.tools.why.Supposition;
import io.evenkeel.tools.why.Supposition.SuppositionException;
import io.evenkeel.tools.why.TooManyQuestionsException;
import io.evenkeel.tools.why.Workload;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.ParameterException;

/**
 * The page beside a live scheduler: its files, and what they ask for. Answers come from the copy of the cluster that {@code why}
 * answers from too, so scheduling pays nothing for who looks.
 */
public final class Page implements Companion {
    public static final String PATH = "/page/";
    private static final String API = PATH + "api/";
    private static final String RUN = "run";
    private static final int VERSION = 1;
    private static final int MOST_LINES = 100;

    /** The options of {@code simulate} that a request may give, by their names there. */
    private static final Map<String, String> CHANGES = Map.of(
            "scale", "--scale",
            "addNodes", "--add-nodes",
            "like", "--like",
            "zone", "--zone",
            "drain", "--drain",
            "lose", "--lose");

    private static final Parameters NO_PARAMETERS = Parameters.named(Set.of());
    private static final Parameters OF_CLUSTER = Parameters.named(Set.of("key", "colour"));
    private static final Parameters OF_GROUPS = Parameters.named(Set.of("pod"));
    private static final Parameters OF_NODE = Parameters.named(Set.of("name"));
    private static final Parameters OF_POD = Parameters.named(Set.of("pod")).andSeveral(Set.of("if"));
    private static final Parameters OF_WHAT_IF =
            Parameters.named(Set.of("addNodes", "like", "zone")).andSeveral(Set.of("scale", "drain", "lose"));

    /**
     * What the page belongs to.
     *
     * @param source such as {@code run}
     * @param judgement tells the owner of the configuration
     * @param mayApply whether changes may be made from it
     */
    public record Setting(
            String source,
            String version,
            SchedulerConfiguration configuration,
            PluginRegistry plugins,
            Judgement judgement,
            boolean mayApply) {}

    /** A view of a copy of the cluster. */
    private record View(ClusterQuestions copy, NodePicture nodes) {}

    /** A question about the view of the copy, on the thread of the copy. */
    @FunctionalInterface
    private interface ViewQuestion {
        Tree answer(View view, Request request, Requester by);
    }

    private final Setting setting;
    private final Spreads spreads;
    private final Questions questions;
    private final boolean servesWhy;
    private final Decisions decisions = new Decisions(InstantSource.system());
    private final Semaphore whatIfs = new Semaphore(1);
    private Optional<Surroundings> surroundings = Optional.empty();

    /** @param servesWhy whether it is to answer for {@code why.evenkeel.io} too */
    public Page(Setting setting, boolean servesWhy) {
        this.setting = setting;
        this.servesWhy = servesWhy;
        spreads = WorkloadTable.spreads(setting.configuration());
        questions = new Questions(setting.configuration(), setting.plugins(), setting.judgement(), spreads, decisions);
    }

    /** Of {@code run --page} and {@code run --why-api}. */
    public static final class Provider implements CompanionProvider {
        @Override
        public List<Companion> companions(Setup setup) {
            if (setup.page()) {
                Setting setting =
                        new Setting(RUN, setup.version(), setup.configuration(), setup.plugins(), Judgement.OWN, false);
                return List.of(new Page(setting, setup.answersWhy()));
            }
            return setup.answersWhy()
                    ? List.of(new Questions(
                            setup.configuration(),
                            setup.plugins(),
                            Judgement.OWN,
                            WorkloadTable.spreads(setup.configuration()),
                            ClusterCopy.Follower.NONE))
                    : List.of();
        }
    }

    @Override
    public void begin(Surroundings around) {
        surroundings = Optional.of(around);
        questions.begin(around);
    }

    @Override
    public void taking(Scheduler scheduler, SchedulerEvent event) {
        questions.taking(scheduler, event);
    }

    @Override
    public void close() {
        decisions.end();
        questions.close();
    }

    @Override
    public void addTo(Routes routes) {
        Surroundings live = surroundings.orElseThrow();
        PlacementApi placements = questions.placements();
        if (servesWhy) {
            placements.addTo(routes);
        }
        PageFiles.addTo(routes);
        CopyAnswers answers = placements.answers();
        add(routes, "state", NO_PARAMETERS, _ -> Reply.json(200, state(live).json()));
        SharedAnswers shared = new SharedAnswers(live.machine().clocks().nanos(), LockSupport::parkNanos);
        addShared(
                routes, "cluster", OF_CLUSTER, shared, answered(answers, (seen, request, _) -> cluster(seen, request)));
        addShared(routes, "node", OF_NODE, shared, request -> answers.guarded(() -> node(answers, request)));
        addShared(routes, "workloads", NO_PARAMETERS, shared, answered(answers, (seen, _, _) -> workloads(seen)));
        addShared(
                routes, "waiting", NO_PARAMETERS, shared, answered(answers, (seen, _, by) -> causes(seen.copy(), by)));
        addShared(
                routes,
                "groups",
                OF_GROUPS,
                shared,
                answered(answers, (seen, request, by) -> groups(seen, request, by)));
        addShared(routes, "pod", OF_POD, shared, request -> answers.guarded(() -> pod(placements, request)));
        add(routes, "whatif", OF_WHAT_IF, request -> answers.guarded(() -> whatIf(live, answers, request)));
        add(routes, "decisions", NO_PARAMETERS, request -> stream(live, answers, request));
    }

    /** Who may ask sees all, so the answer is the same for all. */
    private void addShared(Routes routes, String name, Parameters parameters, SharedAnswers shared, Endpoint endpoint) {
        add(
                routes,
                name,
                parameters,
                request -> shared.answer(
                        name + request.query(), decisions::clusterChanges, () -> endpoint.answer(request)));
    }

    /** Requests of other sites' pages are refused, whatever the browser knows to authenticate itself with. */
    private static void add(Routes routes, String name, Parameters parameters, Endpoint endpoint) {
        routes.add(
                API + name,
                request -> PageFiles.foreign(request)
                        .or(() -> parameters.problem(request).map(ErrorStatus::badRequest))
                        .<Answer>map(refused -> refused)
                        .orElseGet(() -> unkept(endpoint.answer(request))));
    }

    /** No browser keeps it: who uses the machine next may have other rights. */
    private static Answer unkept(Answer answer) {
        return answer instanceof Reply reply ? reply.with("Cache-Control", "no-store") : answer;
    }

    private Tree state(Surroundings live) {
        Tree tree = new Tree()
                .put("version", VERSION)
                .put("evenkeel", setting.version())
                .put(
                        "kubernetes",
                        setting.configuration().featureGates().level().toString())
                .put("source", setting.source())
                .put("cluster", live.transport().host())
                .put("synced", live.isSynced())
                .put(
                        "schedulers",
                        setting.configuration().profiles().stream()
                                .map(Profile::schedulerName)
                                .toList())
                .put("canApply", setting.mayApply())
                .put("time", Instant.now().toString());
        return setting.source().equals(RUN) ? tree.put("leading", live.isLeading()) : tree;
    }

    private Endpoint answered(CopyAnswers answers, ViewQuestion question) {
        return request -> answers.guarded(() -> {
            answers.requireSynced();
            Tree tree = answers.ask(
                    asker(request), request.path(), (copy, by) -> question.answer(viewOf(copy), request, by));
            return Reply.json(200, tree.json());
        });
    }

    /** Others may wait for the answer, too. */
    private static Requester asker(Request request) {
        return new Requester(request.user(), _ -> true, () -> true);
    }

    private View viewOf(ClusterQuestions copy) {
        return copy.keeping(View.class, () -> {
            decisions.anotherCopy();
            return new View(copy, new NodePicture(copy.cluster()));
        });
    }

    private Tree workloads(View seen) {
        PolicyTable policies = new PolicyTable(seen.copy().cluster());
        Spreads.Rows found = spreads.of(seen.copy(), "");
        return new Tree()
                .put("workloads", found.rows(), row -> row.tree().put("policies", policies.of(row.sample())))
                .put("more", found.untold());
    }

    private static Tree groups(View seen, Request request, Requester by) {
        return value(request, "pod")
                .map(key -> seen.copy()
                        .find(key)
                        .map(pod -> GroupTable.tree(seen.copy(), pod))
                        .orElseGet(() -> new Tree().put("groups", List.of())))
                .orElseGet(() -> GroupTable.tree(seen.copy(), by));
    }

    private Tree cluster(View seen, Request request) {
        String colour = value(request, "colour").orElse(NodePicture.FULLEST);
        List<Pod> counted = workload(colour).stream()
                .flatMap(workload -> seen.copy().podsOf(workload).stream())
                .filter(Pod::isPlaced)
                .toList();
        return seen.nodes().tree(value(request, "key").orElse(""), colour, counted, decisions.nodeChanges());
    }

    /** Of {@code workload:shop/Deployment/web}. */
    private static Optional<Workload> workload(String colour) {
        String[] parts = colour.split("[:/]", -1);
        return parts.length == 4 && parts[0].equals("workload")
                ? Optional.of(new Workload(parts[2], parts[1], parts[3]))
                : Optional.empty();
    }

    private Answer node(CopyAnswers answers, Request request)
            throws BadQuestionException, QuestionTimedOutException, TooManyQuestionsException, ExecutionException {
        String name = value(request, "name").orElseThrow(() -> new BadQuestionException("name: which node?"));
        answers.requireSynced();
        Optional<Tree> found = answers.ask(asker(request), request.path(), (copy, _) -> {
            int id = copy.cluster().nodes().findPresent(name);
            return id < 0 ? Optional.empty() : Optional.of(viewOf(copy).nodes().node(id));
        });
        return found.<Answer>map(tree -> Reply.json(200, tree.json()))
                .orElseGet(() -> ErrorStatus.notFound("nodes", "nodes " + Excerpt.quoted(name) + " not found"));
    }

    private static Tree causes(ClusterQuestions copy, Requester by) {
        Layout layout = new Layout(MOST_LINES, false, List.of());
        return new CauseTable(copy, by, "", Instant.now(), layout).tree(copy.waiting(_ -> true, by));
    }

    private Answer pod(PlacementApi placements, Request request)
            throws BadQuestionException, QuestionTimedOutException, TooManyQuestionsException, ExecutionException,
                    IOException {
        String pod = value(request, "pod")
                .filter(text -> text.contains("/") && PodName.isOne(text))
                .orElseThrow(() -> new BadQuestionException("pod: expected NAMESPACE/NAME"));
        int slash = pod.indexOf('/');
        String name = pod.substring(slash + 1);
        CopyAnswers answers = placements.answers();
        answers.requireSynced();
        List<Supposition> supposed = suppositions(request);
        Optional<PodReport> report = supposed.isEmpty()
                ? placements.report(pod.substring(0, slash), name, asker(request))
                : supposing(answers, request, pod, supposed);
        return report.map(there -> Reply.json(200, there.tree().json())).orElseGet(() -> PlacementApi.noPod(name));
    }

    private static Optional<PodReport> supposing(
            CopyAnswers answers, Request request, String pod, List<Supposition> supposed)
            throws BadQuestionException, QuestionTimedOutException, TooManyQuestionsException, ExecutionException {
        try {
            return answers.ask(asker(request), request.path(), (copy, by) -> copy.supposing(pod, supposed, by));
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof SuppositionException senseless) {
                throw senseless(senseless);
            }
            throw failed;
        }
    }

    private static BadQuestionException senseless(SuppositionException supposition) {
        return new BadQuestionException("if: " + supposition.getMessage());
    }

    private static List<Supposition> suppositions(Request request) throws BadQuestionException {
        List<Supposition> supposed = new ArrayList<>();
        for (String text : request.values("if")) {
            try {
                supposed.add(Supposition.parse(text)
                        .orElseThrow(() -> new BadQuestionException(
                                "if: expected one of " + String.join("; ", Supposition.forms()))));
            } catch (SuppositionException senseless) {
                throw senseless(senseless);
            }
        }
        return supposed;
    }

    /** On the thread of the request: the objects are shared, and nothing else. */
    private Answer whatIf(Surroundings live, CopyAnswers answers, Request request) throws BadQuestionException {
        List<String> changes = new ArrayList<>();
        CHANGES.forEach((name, option) -> request.values(name).stream()
                .filter(value -> !value.isEmpty())
                .forEach(value -> changes.add(option + "=" + value)));
        answers.requireSynced();
        if (!whatIfs.tryAcquire()) {
            return ErrorStatus.tooMany("another simulation is being run, and there is one at a time", 1);
        }
        try {
            return Reply.json(
                    200,
                    WhatIf.tree(live.answer(Scheduler::known), changes, setting.configuration(), setting.plugins())
                            .json());
        } catch (ParameterException | UserProblem senseless) {
            throw new BadQuestionException(String.valueOf(senseless.getMessage()));
        } finally {
            whatIfs.release();
        }
    }

    private Answer stream(Surroundings live, CopyAnswers answers, Request request) {
        if (!decisions.enter()) {
            return ErrorStatus.tooMany(
                    Decisions.MOST_WATCHERS + " pages are open, and there are no more at a time", 10);
        }
        String last = request.header("Last-Event-ID");
        long after = last.matches("[0-9]{1,18}") ? Long.parseLong(last) : 0;
        return StreamedReply.ofEvents(
                out -> decisions.write(after, request.stillThere(), () -> figures(live, answers), out),
                decisions::leave);
    }

    /** Also keeps the copy there as long as somebody looks, as it is let go where no questions come. */
    private Tree figures(Surroundings live, CopyAnswers answers) {
        Tree tree = new Tree().put("time", Instant.now().toString());
        try {
            answers.requireSynced();
            tree.put(
                    "waiting",
                    answers.ask(
                            new Requester("page", _ -> true, () -> true),
                            API + "decisions",
                            (copy, _) -> viewOf(copy).copy().waiting().size()));
            if (live.isLeading()) {
                tree.put(
                        "queue",
                        queue(live.answer(scheduler -> scheduler.queue().counts())));
            }
        } catch (QuestionTimedOutException | TooManyQuestionsException | ExecutionException | RuntimeException late) {
            tree.put("message", String.valueOf(late.getMessage()));
        }
        return tree;
    }

    private static Tree queue(QueueCounts counts) {
        return new Tree()
                .put("active", counts.active())
                .put("backoff", counts.backoff())
                .put("unschedulable", counts.unschedulable())
                .put("gated", counts.gated());
    }

    private static Optional<String> value(Request request, String name) {
        return request.values(name).stream().findFirst().filter(value -> !value.isEmpty());
    }
}
