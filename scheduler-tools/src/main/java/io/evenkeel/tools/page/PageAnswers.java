package io.evenkeel.tools.page;

import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.ErrorStatus;
import io.evenkeel.app.http.Parameters;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.Routes.Endpoint;
import io.evenkeel.app.http.Routes.Setter;
import io.evenkeel.app.option.PodName;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.write.Tree;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.simulate.ServedSimulation;
import io.evenkeel.tools.why.BadQuestionException;
import io.evenkeel.tools.why.CauseTable;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.CopyAnswers;
import io.evenkeel.tools.why.CopyAnswers.QuestionTimedOutException;
import io.evenkeel.tools.why.PlacementApi;
import io.evenkeel.tools.why.PodReport;
import io.evenkeel.tools.why.Requester;
import io.evenkeel.tools.why.Spreads;
import io.evenkeel.tools.why.Supposition;
import io.evenkeel.tools.why.Supposition.SuppositionException;
import io.evenkeel.tools.why.TooManyQuestionsException;
import io.evenkeel.tools.why.UsualProfiles;
import io.evenkeel.tools.why.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.ParameterException;

/** What the page asks about a cluster, wherever that comes from. */
final class PageAnswers {
    private static final int MOST_LINES = 100;

    /** For causes of waiting: it leaves half of the time that an answer may take for the last one, and for writing them down. */
    private static final Duration FOR_CAUSES = Duration.ofSeconds(5);

    private static final Duration FOR_A_SIMULATION = Duration.ofSeconds(30);
    static final String WHAT_IF = Page.API + "whatif";
    static final int LONGEST_CONFIGURATION = 256 * 1024;

    /** Each has plugins of its own, which know all nodes, though it takes a short line to write. */
    private static final int MOST_PROFILES = 50;

    private static final int MOST_MISTAKES = 20;
    private static final int LONGEST_MISTAKE = 500;

    /** The options of {@code simulate} that a request may give, by their names there. */
    private static final Map<String, String> CHANGES = Map.of(
            "scale", "--scale",
            "addNodes", "--add-nodes",
            "like", "--like",
            "zone", "--zone",
            "drain", "--drain",
            "lose", "--lose",
            "anew", "--anew");

    private final Source source;
    private final Spreads spreads;
    private final Semaphore whatIfs = new Semaphore(1);

    PageAnswers(Source source, Spreads spreads) {
        this.source = source;
        this.spreads = spreads;
    }

    /**
     * A cluster as it is looked at, by questions one at a time.
     *
     * @param nodeChanges grows when nodes change in what scheduling reads
     */
    record View(ClusterQuestions copy, NodePicture nodes, LongSupplier nodeChanges) {}

    /** A question about the view. */
    @FunctionalInterface
    interface ViewQuestion<T> {
        T answer(View view, Request request, Requester by);
    }

    /** Where the cluster comes from; requests wait for its answers. */
    interface Source {
        <T> T ask(Request request, ViewQuestion<T> question)
                throws BadQuestionException, QuestionTimedOutException, TooManyQuestionsException, ExecutionException;

        /** What there is to say of a pod; empty where there is none, or it has finished. */
        Optional<PodReport> report(Request request, String namespace, String name)
                throws BadQuestionException, QuestionTimedOutException, TooManyQuestionsException, ExecutionException,
                        IOException;

        /** All objects there are. */
        List<KubernetesObject> known(Request request)
                throws BadQuestionException, QuestionTimedOutException, TooManyQuestionsException, ExecutionException;

        SchedulerConfiguration configuration();

        PluginRegistry plugins();

        /** What each question may give. */
        Set<String> parameters();

        /** The answer to a question that others may ask at the same time. */
        Answer shared(String question, Supplier<Answer> making);
    }

    void addTo(Routes routes) {
        addShared(routes, "cluster", tree(PageAnswers::cluster), "key", "colour");
        addShared(routes, "node", this::node, "name");
        addShared(routes, "workloads", tree((seen, _, _) -> workloads(seen)));
        addShared(routes, "waiting", tree((seen, _, by) -> causes(seen.copy(), by, within(FOR_CAUSES))));
        addShared(routes, "groups", tree(PageAnswers::groups), "pod");
        add(routes, "pod", named("pod").andSeveral(Set.of("if")), shared("pod", this::pod));
        routes.addSetter(
                WHAT_IF,
                new AnotherConfiguration(),
                toItself(ofWhatIf(), request -> whatIf(request, Optional.empty())));
    }

    private Parameters ofWhatIf() {
        return named("addNodes", "like", "zone", "anew").andSeveral(Set.of("scale", "drain", "lose"));
    }

    /** These, and what all questions to the source may give. */
    private Parameters named(String... names) {
        Set<String> all = new HashSet<>(source.parameters());
        all.addAll(List.of(names));
        return Parameters.named(all);
    }

    private Endpoint tree(ViewQuestion<Tree> question) {
        return request -> CopyAnswers.guarded(
                () -> Reply.json(200, source.ask(request, question).json()));
    }

    private void addShared(Routes routes, String name, Endpoint endpoint, String... parameters) {
        add(routes, name, named(parameters), shared(name, endpoint));
    }

    /** Who may ask sees all, so the answer is the same for all. */
    private Endpoint shared(String name, Endpoint endpoint) {
        return request -> source.shared(name + request.query(), () -> endpoint.answer(request));
    }

    void add(Routes routes, String name, Endpoint endpoint) {
        add(routes, name, named(), endpoint);
    }

    private static void add(Routes routes, String name, Parameters parameters, Endpoint endpoint) {
        routes.add(Page.API + name, toItself(parameters, endpoint));
    }

    /** Requests of other sites' pages are refused, whatever the browser knows to authenticate itself with. */
    private static Endpoint toItself(Parameters parameters, Endpoint endpoint) {
        return request -> PageFiles.foreign(request)
                .or(() -> parameters.problem(request).map(ErrorStatus::badRequest))
                .<Answer>map(refused -> refused)
                .orElseGet(() -> unkept(endpoint.answer(request)));
    }

    /** No browser keeps it: who uses the machine next may have other rights. */
    private static Answer unkept(Answer answer) {
        return answer instanceof Reply reply ? reply.with("Cache-Control", "no-store") : answer;
    }

    /** Holds for so long from now on. */
    static BooleanSupplier within(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        return () -> System.nanoTime() - end < 0;
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
                .orElseGet(() -> GroupTable.tree(seen.copy(), by, within(FOR_CAUSES)));
    }

    private static Tree cluster(View seen, Request request, Requester by) {
        String colour = value(request, "colour").orElse(NodePicture.FULLEST);
        List<Pod> counted = workload(colour).stream()
                .flatMap(workload -> seen.copy().podsOf(workload).stream())
                .filter(Pod::isPlaced)
                .toList();
        return seen.nodes()
                .tree(
                        value(request, "key").orElse(""),
                        colour,
                        counted,
                        seen.nodeChanges().getAsLong());
    }

    /** Of {@code workload:shop/Deployment/web}. */
    private static Optional<Workload> workload(String colour) {
        String[] parts = colour.split("[:/]", -1);
        return parts.length == 4 && parts[0].equals("workload")
                ? Optional.of(new Workload(parts[2], parts[1], parts[3]))
                : Optional.empty();
    }

    private Answer node(Request request) {
        return CopyAnswers.guarded(() -> {
            String name = value(request, "name").orElseThrow(() -> new BadQuestionException("name: which node?"));
            Optional<Tree> found = source.ask(request, (seen, _, _) -> {
                int id = seen.copy().cluster().nodes().findPresent(name);
                return id < 0 ? Optional.empty() : Optional.of(seen.nodes().node(id));
            });
            return found.<Answer>map(tree -> Reply.json(200, tree.json()))
                    .orElseGet(() -> ErrorStatus.notFound("nodes", "nodes " + Excerpt.quoted(name) + " not found"));
        });
    }

    private static Tree causes(ClusterQuestions copy, Requester by, BooleanSupplier isTime) {
        Layout layout = new Layout(MOST_LINES, false, List.of());
        return new CauseTable(copy, by, "", Instant.EPOCH, layout).tree(copy.waiting(_ -> true, by), isTime);
    }

    private Answer pod(Request request) {
        return CopyAnswers.guarded(() -> {
            String pod = value(request, "pod")
                    .filter(text -> text.contains("/") && PodName.isOne(text))
                    .orElseThrow(() -> new BadQuestionException("pod: expected NAMESPACE/NAME"));
            int slash = pod.indexOf('/');
            String name = pod.substring(slash + 1);
            List<Supposition> supposed = suppositions(request);
            Optional<PodReport> report = supposed.isEmpty()
                    ? source.report(request, pod.substring(0, slash), name)
                    : supposing(request, pod, supposed);
            return report.map(there -> Reply.json(200, there.tree().json())).orElseGet(() -> PlacementApi.noPod(name));
        });
    }

    private Optional<PodReport> supposing(Request request, String pod, List<Supposition> supposed)
            throws BadQuestionException, QuestionTimedOutException, TooManyQuestionsException, ExecutionException {
        try {
            return source.ask(request, (seen, _, by) -> seen.copy().supposing(pod, supposed, by));
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
    private Answer whatIf(Request request, Optional<String> configuration) {
        return CopyAnswers.guarded(() -> {
            if (!whatIfs.tryAcquire()) {
                return ErrorStatus.tooMany("another simulation is being run, and there is one at a time", 1);
            }
            BooleanSupplier isTime = within(FOR_A_SIMULATION);
            try {
                return Reply.json(
                        200,
                        whatIf(request, source.known(request), configuration, isTime)
                                .json());
            } catch (ParameterException | UserProblem senseless) {
                throw new BadQuestionException(first(String.valueOf(senseless.getMessage())));
            } catch (CancellationException tooLong) {
                if (isTime.getAsBoolean()) {
                    throw tooLong;
                }
                return ErrorStatus.timedOut("no answer within " + FOR_A_SIMULATION.toSeconds()
                        + " seconds; evenkeel simulate takes the time that it needs");
            } finally {
                whatIfs.release();
            }
        });
    }

    private Tree whatIf(
            Request request, List<KubernetesObject> known, Optional<String> configuration, BooleanSupplier isTime) {
        List<String> changes = new ArrayList<>();
        CHANGES.forEach((name, option) -> request.values(name).stream()
                .filter(value -> !value.isEmpty())
                .forEach(value -> changes.add(option + "=" + value)));
        SchedulerConfiguration present = source.configuration();
        Optional<SchedulerConfiguration> other = configuration.map(text -> UsualProfiles.ofFileOr(
                Optional.of(Path.of("configuration")),
                Optional.of(text),
                present,
                read -> gates(read, present),
                source.plugins()));
        return ServedSimulation.tree(
                known,
                changes,
                present,
                other,
                source.plugins(),
                () -> isTime.getAsBoolean() && request.stillThere().getAsBoolean());
    }

    private static FeatureGates gates(SchedulerConfiguration read, SchedulerConfiguration present) {
        if (read.profiles().size() > MOST_PROFILES) {
            throw new ConfigurationException("configuration: profiles: at most " + MOST_PROFILES
                    + " are tried here, got " + read.profiles().size());
        }
        return present.featureGates();
    }

    /** A configuration can have more mistakes than anybody reads. */
    private static String first(String mistakes) {
        List<String> lines =
                mistakes.lines().map(line -> Excerpt.of(line, LONGEST_MISTAKE)).toList();
        return String.join("\n", lines.subList(0, Math.min(MOST_MISTAKES, lines.size())))
                + (lines.size() > MOST_MISTAKES ? "\nand " + (lines.size() - MOST_MISTAKES) + " more" : "");
    }

    /** A KubeSchedulerConfiguration that is supposed in place of the present one. */
    private final class AnotherConfiguration implements Setter {
        @Override
        public int longest() {
            return LONGEST_CONFIGURATION;
        }

        @Override
        public Answer set(Request request, String configuration) {
            return toItself(ofWhatIf(), asked -> whatIf(asked, Optional.of(configuration)))
                    .answer(request);
        }
    }

    static Optional<String> value(Request request, String name) {
        return request.values(name).stream().findFirst().filter(value -> !value.isEmpty());
    }
}
