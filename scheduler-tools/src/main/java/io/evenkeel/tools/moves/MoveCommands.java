package io.evenkeel.tools.moves;

import io.evenkeel.app.cli.ClusterListing;
import io.evenkeel.app.cli.FlagValues;
import io.evenkeel.app.cli.Version;
import io.evenkeel.app.companion.RebalanceGoal;
import io.evenkeel.app.companion.RebalanceOptions;
import io.evenkeel.app.companion.RebalanceOptions.RebalanceSettings;
import io.evenkeel.app.http.serve.ServingOptions;
import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler;
import io.evenkeel.app.live.LiveService;
import io.evenkeel.app.logging.LoggingOptions;
import io.evenkeel.app.metrics.MetricsOptions;
import io.evenkeel.app.option.ConfigurationFile;
import io.evenkeel.app.option.FeatureGateOptions;
import io.evenkeel.app.option.GoFlags;
import io.evenkeel.app.option.ServerOptions;
import io.evenkeel.app.plugin.OutOfTreePlugins;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginOptions;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.tools.why.UsualProfiles;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.goal.Goal;
import io.evenkeel.whatif.goal.GoalPlanner;
import io.evenkeel.whatif.moves.Step;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.whatif.rebalance.MovePlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The commands that carry moves out from outside the scheduler, which holds no places for them. */
public final class MoveCommands {
    private static final String ONLY_SUCH =
            "Places are held by `evenkeel run --rebalance` alone: here only such moves are"
                    + " made as the scheduler would choose by itself, which is worked out again right before each.";

    private MoveCommands() {}

    /** The cluster, and by which configuration its pods are judged. */
    static final class Judging {
        @Option(
                names = "--config",
                paramLabel = "FILE",
                description = "KubeSchedulerConfiguration to judge pods by (default: the default plugins)")
        private Optional<Path> config = Optional.empty();

        @Mixin
        private ServerOptions server = new ServerOptions();

        @Mixin
        private FeatureGateOptions features = new FeatureGateOptions();

        @Mixin
        private PluginOptions plugins = new PluginOptions();

        private Judged read() {
            OutOfTreePlugins outOfTree = plugins.load();
            Optional<String> text = config.map(ConfigurationFile::read);
            SchedulerConfiguration configuration = UsualProfiles.ofFileFor(
                    server,
                    features,
                    there -> LiveService.releaseAt(there, new Version().number()),
                    config,
                    text,
                    outOfTree.registry());
            outOfTree.warnOfUnused();
            return new Judged(
                    configuration,
                    text,
                    outOfTree.registry(),
                    server.over(configuration.clientConnection().kubeconfig()));
        }
    }

    private record Judged(
            SchedulerConfiguration configuration,
            Optional<String> text,
            PluginRegistry plugins,
            ConnectionOptions connection) {

        Moving moving(RebalanceSettings settings, Goal goal, boolean once, Moving.Listener listener) {
            return new Moving(
                    configuration, plugins, Moving.planner(goal), new Moving.Manner(settings, false, once, listener));
        }
    }

    /** {@code evenkeel rebalance run}. */
    @Command(
            name = "run",
            description = {
                "Plans now and then, and makes the moves, beside any scheduler.",
                ONLY_SUCH + " Run one: it takes part in no election."
            },
            abbreviateSynopsis = true,
            preprocessor = GoFlags.class,
            mixinStandardHelpOptions = true)
    public static final class Run implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Mixin
        private Judging judging = new Judging();

        @Mixin
        private RebalanceOptions rebalance = new RebalanceOptions();

        @Mixin
        private ServingOptions serving = new ServingOptions();

        @Mixin
        private MetricsOptions metrics = new MetricsOptions();

        @Mixin
        private LoggingOptions logging = new LoggingOptions();

        @Override
        public Integer call() throws IOException, InterruptedException {
            logging.apply();
            Judged judged = judging.read();
            LiveService service = new LiveService(
                    judged.configuration(),
                    judged.connection(),
                    serving,
                    LiveOptions.observing(spec.name(), judged.plugins()),
                    metrics.shown(),
                    new Version().number(),
                    FlagValues.of(spec, judged.configuration()),
                    () -> List.of(judged.moving(
                            rebalance.settings(),
                            GoalOptions.lasting(rebalance.settings().goal(), judged.configuration()),
                            false,
                            Moving.Listener.NONE)));
            return service.run(Duration.ZERO, judging.config, judged.text(), !judging.features.namesLevel());
        }
    }

    /** {@code evenkeel rebalance apply}. */
    @Command(
            name = "apply",
            description = {"Plans once, makes the moves, and ends.", ONLY_SUCH},
            preprocessor = GoFlags.class,
            footerHeading = "%nExamples:%n",
            footer = {"  evenkeel rebalance apply --dry-run", "  evenkeel rebalance apply --rebalance-cool-down 30s"},
            mixinStandardHelpOptions = true)
    public static final class Apply implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Option(names = "--dry-run", description = "Print the moves, and which would be made; evict no pod")
        private boolean dryRun;

        @Mixin
        private GoalOptions goals = new GoalOptions();

        @Mixin
        private Judging judging = new Judging();

        @Mixin
        private RebalanceOptions.Pace pace = new RebalanceOptions.Pace();

        @Override
        public Integer call() throws InterruptedException {
            goals.check();
            Judged judged = judging.read();
            try (HttpTransport transport =
                    HttpTransport.open(judged.connection(), new Version().number(), ApiObserver.NONE)) {
                if (dryRun) {
                    print(judged, transport);
                    return ExitCode.OK;
                }
                return apply(judged, transport);
            }
        }

        private void print(Judged judged, HttpTransport transport) throws InterruptedException {
            ClusterSnapshot snapshot = new ClusterSnapshot(judged.configuration(), judged.plugins());
            List<KubernetesObject> objects = listed(snapshot.kinds(), transport);
            KnownCluster cluster = new KnownCluster(snapshot, objects);
            MovePlan plan = GoalPlanner.plan(snapshot, goals.goal(snapshot, objects));
            snapshot.reset();
            PrintWriter out = spec.commandLine().getOut();
            Places places = new Places.ByNobody();
            for (Move move : plan.moves()) {
                Optional<String> objection = move.pod()
                        .meta()
                        .controller()
                        .map(_ -> cluster.unrest(move))
                        .orElseGet(() -> Optional.of("no owner makes it again"))
                        .or(() -> cluster.objection(move, List.of(), List.of()))
                        .or(() -> places.objection(move, cluster));
                out.println(
                        told(move) + objection.map(why -> ": not now, " + why).orElse(""));
            }
            out.println(summary(plan, goals.named()));
            out.flush();
        }

        private List<KubernetesObject> listed(List<Kind<?>> kinds, HttpTransport transport)
                throws InterruptedException {
            return ClusterListing.of(
                            kinds,
                            transport,
                            ClusterListing.warningsTo(spec.commandLine().getErr()))
                    .objects();
        }

        /** What is named must be there; a cluster that is not there is said at once, too. */
        private Goal goal(Judged judged, HttpTransport transport) throws InterruptedException {
            ClusterSnapshot snapshot = new ClusterSnapshot(judged.configuration(), judged.plugins());
            List<KubernetesObject> objects = listed(
                    goals.named() == RebalanceGoal.PLACE ? List.of(Kinds.NODE, Kinds.POD) : List.of(Kinds.NODE),
                    transport);
            objects.forEach(snapshot::put);
            return goals.goal(snapshot, objects);
        }

        private int apply(Judged judged, HttpTransport transport) throws InterruptedException {
            PrintWriter out = spec.commandLine().getOut();
            Told told = new Told(out, goals.named());
            RebalanceSettings settings = pace.settings(Duration.ZERO, goals.named());
            Moving moving = judged.moving(settings, goal(judged, transport), true, told);
            try (LiveScheduler live = LiveScheduler.start(
                    judged.configuration(),
                    transport,
                    LiveOptions.observing(spec.name(), judged.plugins()),
                    LiveObservers.NONE.with(List.of(moving)))) {
                return told.isAsPlanned
                                .applyToEither(live.ended().thenApply(_ -> false), all -> all)
                                .get()
                        ? ExitCode.OK
                        : ExitCode.SOFTWARE;
            } catch (ExecutionException fault) {
                throw new IllegalStateException(fault);
            }
        }
    }

    private static String told(Move move) {
        return move.pod().key() + " from " + move.from() + " to " + move.to();
    }

    private static String summary(MovePlan plan, RebalanceGoal goal) {
        String against = switch (goal) {
            case CONSTRAINTS -> "pods whose hard constraints do not hold: ";
            case SPREAD -> "pods whose constraints do not hold: ";
            case POLICIES -> "pods against a policy: ";
            case EMPTY_NODES -> "nodes with pods: ";
            case PLACE -> "pods that wait: ";
            case DEVICES -> "nodes with devices in use: ";
        };
        return plan.moves().isEmpty()
                ? "Nothing to move; " + against + plan.violationsBefore()
                : "Moves: " + plan.moves().size() + "; " + against + plan.violationsBefore() + ", after them "
                        + plan.violationsAfter();
    }

    /** Prints what is done, a line a move. */
    private static final class Told implements Moving.Listener {
        private final PrintWriter out;
        private final RebalanceGoal goal;
        private final CompletableFuture<Boolean> isAsPlanned = new CompletableFuture<>();
        private boolean allMoved = true;

        Told(PrintWriter out, RebalanceGoal goal) {
            this.out = out;
            this.goal = goal;
        }

        @Override
        public void planned(MovePlan plan) {
            out.println(summary(plan, goal));
            out.flush();
        }

        @Override
        public void did(Step step) {
            switch (step) {
                case Step.Ended(Move move, var result, String why, Duration took) -> {
                    allMoved &= result == Step.Result.MOVED;
                    out.println(told(move) + ": " + result.label() + (why.isEmpty() ? "" : ", " + why) + " ("
                            + took.toSeconds() + " s)");
                }
                case Step.Stopped(String why, int left) -> {
                    allMoved = false;
                    out.println("Stopped, moves not made: " + left + "; " + why);
                }
                case Step.Hold _, Step.Evict _, Step.Release _ -> {}
            }
            out.flush();
        }

        @Override
        public void done() {
            isAsPlanned.complete(allMoved);
        }
    }
}
