package io.evenkeel.lab.cli;

import com.google.gson.JsonObject;
import io.evenkeel.app.option.Converters.TimeSpan;
import io.evenkeel.file.FileProblem;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.hollow.controller.ClusterFiles;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.controller.WorldOptions.Devices;
import io.evenkeel.hollow.controller.WorldOptions.Heartbeats;
import io.evenkeel.hollow.controller.WorldOptions.Pace;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.lab.bench.Limits;
import io.evenkeel.lab.page.HollowPage;
import io.evenkeel.model.json.Trees;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.page.PageSite;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.UsualProfiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code evenkeel hollow}. */
@Command(
        name = "hollow",
        description = {
            "Runs a cluster in memory until Ctrl-C.",
            "That is an API server, nodes that run nothing, and controllers; kubectl and schedulers take it for a real"
                    + " one."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  evenkeel hollow --nodes 100"})
final class HollowCommand implements Callable<Integer> {
    private static final Pace PACE =
            new Pace(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(10));
    private static final int LAST_PORT = 65_535;
    private static final int USUAL_NODES = 50;
    private static final int MOST_NODES = 100_000;
    private static final int MOST_PODS = 1_000_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    private boolean help;

    @Option(
            names = "--version",
            paramLabel = "RELEASE",
            converter = Release.class,
            description = "Release of Kubernetes that it says it is, such as 1.37 (default: ${DEFAULT-VALUE})")
    private String version = HollowOptions.DEFAULT.release();

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Number of nodes at first (default: " + USUAL_NODES + ", none beside those of --load)")
    private Optional<Integer> nodes = Optional.empty();

    @Option(names = "--zones", paramLabel = "Z", description = "Number of zones (default: ${DEFAULT-VALUE})")
    private int zones = 3;

    @Option(names = "--cpu", paramLabel = "QUANTITY", description = "CPU of each node (default: ${DEFAULT-VALUE})")
    private String cpu = Capacity.DEFAULT.cpu();

    @Option(
            names = "--memory",
            paramLabel = "QUANTITY",
            description = "Memory of each node (default: ${DEFAULT-VALUE})")
    private String memory = Capacity.DEFAULT.memory();

    @Option(
            names = "--pods-per-node",
            paramLabel = "N",
            description = "Maximum of pods a node (default: ${DEFAULT-VALUE})")
    private int podsPerNode = Capacity.DEFAULT.pods();

    @Option(
            names = "--devices",
            paramLabel = "KIND=N",
            converter = DeviceCounts.class,
            description =
                    "Devices that drivers of samples publish, such as gpu=8,nic=4: gpu, partition and nic on each node,"
                            + " fabric for all nodes together (default: none)")
    private Devices devices = Devices.NONE;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port to serve on, 0 for any free one (default: ${DEFAULT-VALUE})")
    private int port = 0;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "File to write the administrator's kubeconfig to (default: a temporary file)")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(names = "--plain-http", description = "Serve without TLS; kubectl then sends no token, and is refused")
    private boolean plainHttp;

    @Option(names = "--default-scheduler", description = "Let a stand-in place the pods of default-scheduler")
    private boolean defaultScheduler;

    @Option(
            names = "--latency",
            paramLabel = "DURATION",
            converter = TimeSpan.FromZero.class,
            description = "Delay of every answer, such as 5ms (default: none)")
    private Duration latency = Duration.ZERO;

    @Option(
            names = "--heartbeat",
            paramLabel = "DURATION",
            converter = TimeSpan.Positive.class,
            description = "How often each node reports a status in which nothing has changed (default: 5m)")
    private Duration heartbeat = Heartbeats.USUAL.status();

    @Option(
            names = "--load",
            paramLabel = "FILE",
            arity = "1..*",
            description = "Cluster to begin with, also as .gz: what 'kubectl get -o json' or -o yaml prints, a dump,"
                    + " manifests")
    private List<Path> load = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        ClusterFiles files = files();
        WorldOptions options = options(files.haveNodes() ? 0 : USUAL_NODES);
        try (HollowWorld world = start(options, files)) {
            world.cluster().faults().latency(latency);
            Path written = writeKubeconfig(world);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(world, written), "shutdown"));
            try (PageSite page = HollowPage.site(
                    0,
                    "hollow",
                    () -> UsualProfiles.OF_PODS_THAT_WAIT,
                    Judgement.GUESSED,
                    written,
                    world.cluster().objects())) {
                announce(world, written, page);
                new CountDownLatch(1).await(); // Ctrl-C ends the process
            }
        } catch (UncheckedIOException e) {
            throw new UserProblem(String.valueOf(e.getMessage()), e);
        }
        return ExitCode.OK;
    }

    private ClusterFiles files() {
        try {
            return ClusterFiles.read(load);
        } catch (IllegalArgumentException unreadable) {
            throw mistake(String.valueOf(unreadable.getMessage()));
        }
    }

    private WorldOptions options(int usualNodes) {
        int count = nodes.orElse(usualNodes);
        if (port < 0 || port > LAST_PORT) {
            throw mistake("--port must be between 0 and 65535, got " + port);
        }
        Limits limits = new Limits(spec);
        limits.between(0, MOST_NODES, "--nodes", count);
        limits.between(1, MOST_NODES, "--zones", zones);
        limits.between(1, MOST_PODS, "--pods-per-node", podsPerNode);
        HollowOptions server = HollowOptions.DEFAULT.onPort(port).ofRelease(version);
        try {
            return WorldOptions.DEFAULT
                    .withServer(plainHttp ? server.plainHttp() : server)
                    .withNodes(count, zones, Capacity.of(cpu, memory, podsPerNode))
                    .atPace(PACE)
                    .withHeartbeats(Heartbeats.USUAL.withStatus(heartbeat))
                    .withDefaultScheduler(defaultScheduler)
                    .withDevices(devices)
                    .withEvents(true);
        } catch (IllegalArgumentException e) {
            throw mistake(String.valueOf(e.getMessage()));
        }
    }

    /** @throws ParameterException with a line that names the file, its object and what is wrong with that */
    private HollowWorld start(WorldOptions options, ClusterFiles files) {
        try {
            PrintWriter err = spec.commandLine().getErr();
            return HollowWorld.start(options, files, remark -> err.println("evenkeel: warning: " + remark));
        } catch (IllegalArgumentException refused) {
            throw mistake(String.valueOf(refused.getMessage()));
        }
    }

    private Path writeKubeconfig(HollowWorld world) {
        Path file = kubeconfig.orElseGet(HollowCommand::temporaryFile);
        try {
            return world.cluster().writeKubeconfig(file).toAbsolutePath();
        } catch (IOException e) {
            throw new UserProblem(FileProblem.writing(file, e), e);
        }
    }

    /** A signal would make the exit code 130 or 143, as if something had gone wrong. */
    private void end(HollowWorld world, Path written) {
        try {
            world.close();
            if (kubeconfig.isEmpty()) {
                Files.deleteIfExists(written);
            }
        } catch (IOException left) {
            spec.commandLine().getErr().println("evenkeel: " + FileProblem.writing(written, left));
        } finally {
            Runtime.getRuntime().halt(ExitCode.OK);
        }
    }

    private static Path temporaryFile() {
        try {
            return Files.createTempFile("evenkeel-hollow-", ".yaml");
        } catch (IOException e) {
            Path directory = Path.of(System.getProperty("java.io.tmpdir"));
            throw new UserProblem(FileProblem.writing(directory.resolve("evenkeel-hollow.yaml"), e), e);
        }
    }

    private void announce(HollowWorld world, Path file, PageSite page) {
        PrintWriter out = spec.commandLine().getOut();
        List<JsonObject> there = world.objects().list(ResourceTable.NODES, "").stream()
                .map(Trees::parse)
                .toList();
        long inZones = there.stream()
                .map(node -> Trees.text(node, "metadata", "labels", "topology.kubernetes.io/zone"))
                .distinct()
                .count();
        out.println("hollow cluster of %d nodes in %d zones at %s; Ctrl-C ends it"
                .formatted(
                        there.size(),
                        load.isEmpty() ? zones : inZones,
                        world.cluster().url()));
        out.println();
        out.println("  export KUBECONFIG=" + file);
        out.println("  kubectl get nodes");
        out.println("  ./evenkeel run --kubeconfig " + file);
        out.println("  or look at it: " + page.address());
        out.flush();
    }

    private ParameterException mistake(String message) {
        return new Limits(spec).mistake(message);
    }

    /** Counts of devices by their kind: {@code gpu=8,nic=4}. */
    static final class DeviceCounts implements ITypeConverter<Devices> {
        private static final List<String> KINDS = List.of("gpu", "partition", "nic", "fabric");
        private static final String COUNT = "[0-9]{1,3}";

        @Override
        public Devices convert(String value) {
            Map<String, Integer> counts = new HashMap<>();
            for (String part : value.split(",", -1)) {
                String[] words = part.split("=", -1);
                if (words.length != 2 || !KINDS.contains(words[0]) || !words[1].matches(COUNT)) {
                    throw new TypeConversionException("expected counts such as gpu=8,nic=4, each of "
                            + String.join(", ", KINDS) + " and at most 999, got \"" + part + "\"");
                }
                counts.put(words[0], Integer.parseInt(words[1]));
            }
            return new Devices(
                    counts.getOrDefault("gpu", 0),
                    counts.getOrDefault("partition", 0),
                    counts.getOrDefault("nic", 0),
                    counts.getOrDefault("fabric", 0));
        }
    }

    /** A minor release of Kubernetes. */
    static final class Release implements ITypeConverter<String> {
        private static final Pattern MINOR = Pattern.compile("1\\.\\d{1,3}");

        @Override
        public String convert(String value) {
            if (!MINOR.matcher(value).matches()) {
                throw new TypeConversionException("expected a release such as 1.37, got \"" + value + "\"");
            }
            return value;
        }
    }
}
