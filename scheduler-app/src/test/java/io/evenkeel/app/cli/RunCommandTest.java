package io.evenkeel.app.cli;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.Difference;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.hollow.RequestLog.LoggedRequest;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.testing.Ports;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The command on a cluster: how it starts, what it says, how it ends; with which exit code. */
@Rotated(3)
class RunCommandTest {
    private static final String SCHEDULER = "system:kube-scheduler";
    private static final String TOKEN = "of-the-scheduler";
    private static final String NODE = """
        {"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"},
         "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}\
        """;
    private static final String POD = """
        {"kind":"Pod","apiVersion":"v1","metadata":{"name":"web"},
         "spec":{"schedulerName":"evenkeel","containers":[{"name":"c","image":"pause:1"}]}}\
        """;

    private final HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT);

    @TempDir
    private Path files;

    private Path kubeconfig;

    private record Outcome(int exitCode, List<String> err) {}

    @BeforeEach
    void aPodWaitsForANode() throws IOException {
        cluster.tokens().add(TOKEN, User.named(SCHEDULER));
        kubeconfig = Files.writeString(files.resolve("kubeconfig.yaml"), cluster.kubeconfig("scheduler", TOKEN));
        cluster.objects().create(NODE);
        cluster.objects().create(POD);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void itSchedulesUntilItIsAskedToStop() throws IOException, InterruptedException {
        int port = Ports.unused();
        try (RunProcess scheduler = start("--insecure-port=" + port, "--logging-format=json")) {
            await().until(() -> !nodeOfPod().isEmpty());
            await().until(() -> get(port, "/readyz").equals("200 ok"));
            assertThat(holder()).isNotEmpty();

            scheduler.terminate();

            assertThat(scheduler.exitCode()).isZero();
            assertThat(holder()).isEmpty();
            List<JsonElement> lines =
                    scheduler.log().stream().map(JsonParser::parseString).toList();
            assertThat(lines).allMatch(JsonElement::isJsonObject);
            assertThat(lines.stream()
                            .map(line -> line.getAsJsonObject().get("msg").getAsString()))
                    .contains("Starting Evenkeel", "Caches synced", "Successfully acquired lease")
                    .endsWith("Stopping", "Stopped");
        }
    }

    @Test
    void whatOfTheConfigurationMayNotBeMeantIsSaidAtTheStart() throws IOException, InterruptedException {
        try (RunProcess scheduler = start(
                "--config=" + configuration("profiles: [{plugins: {score: {disabled: [{name: DynamicResource}]}}}]"))) {
            scheduler.awaitLogged("INFO  Successfully acquired lease");
            scheduler.terminate();

            assertThat(scheduler.exitCode()).isZero();
            assertThat(scheduler.log().stream().filter(line -> line.contains(" WARN ")))
                    .satisfiesExactly(
                            race -> assertThat(race)
                                    .endsWith("do not run a kube-scheduler beside it profile=default-scheduler"),
                            plugin -> assertThat(plugin).contains("Configuration disables a plugin that there is not"));
        }
    }

    @Test
    void inADryRunItDecidesAndWritesNothing() throws IOException, InterruptedException {
        try (RunProcess scheduler = start("--dry-run")) {
            scheduler.awaitLogged("INFO  Would bind pod=default/web node=n1");
            scheduler.terminate();

            assertThat(scheduler.exitCode()).isZero();
            assertThat(ofScheduler())
                    .isNotEmpty()
                    .allMatch(request -> request.method().equals("GET"));
            assertThat(nodeOfPod()).isEmpty();
        }
    }

    @Test
    void itEndsWithAnErrorWhenAnotherReplicaTakesTheLease() throws IOException, InterruptedException {
        try (RunProcess scheduler = start("--leader-elect-retry-period=100ms")) {
            scheduler.awaitLogged("INFO  Successfully acquired lease identity=");
            cluster.objects().patch(ResourceTable.LEASES, "kube-system", "evenkeel", """
                {"spec":{"holderIdentity":"another"}}\
                """);

            assertThat(scheduler.exitCode()).isEqualTo(1);
            assertThat(scheduler.log())
                    .anyMatch(line -> line.endsWith("ERROR Another replica has taken the lease identity=another"))
                    .anyMatch(line -> line.endsWith("ERROR Leader election lost, another replica may be leading"));
            assertThat(holder()).isEqualTo("another");
        }
    }

    @Test
    void whatNeedsTheWholeClusterOrAnElectionIsRefusedBesideShards() throws IOException {
        Path file = configuration("shards: {count: 2}");
        for (String flag :
                List.of("--dry-run", "--rebalance", "--record=" + files.resolve("record"), "--leader-elect=false")) {
            Outcome outcome = run("--config=" + file, "--kubeconfig=" + kubeconfig, flag);
            assertThat(outcome.exitCode()).as(flag).isEqualTo(2);
            assertThat(outcome.err()).as(flag).anyMatch(line -> line.contains("does not go together with shards"));
        }
    }

    @Test
    void aTakenPortIsOneLineAndNothingIsScheduled() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Outcome outcome =
                    run("--kubeconfig=" + kubeconfig, "--secure-port=0", "--insecure-port=" + other.getLocalPort());

            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.err())
                    .singleElement()
                    .asString()
                    .startsWith("evenkeel: --insecure-port: cannot listen on 127.0.0.1:" + other.getLocalPort());
            // asked once a connection: for calls, and ahead for streams where there is time
            assertThat(ofScheduler()).extracting(LoggedRequest::path).containsOnly("/version");
        }
    }

    @Test
    void pluginsThatThereAreNotAreNamedByFileAndProfile() throws IOException {
        Path file = configuration("""
            profiles:
            - schedulerName: fine
            - schedulerName: other
              plugins:
                score: {enabled: [{name: PodTopologySpred}]}
                filter: {enabled: [{name: ImageLocality}]}
              pluginConfig: [{name: NodeAfinity, args: {}}]\
            """);

        assertThat(run("--config=" + file, "--write-config-to=" + files.resolve("written.yaml")))
                .isEqualTo(new Outcome(
                        1,
                        List.of(
                                "evenkeel: " + file + ":7:30: profiles[1].plugins.score.enabled[0].name: there is no"
                                        + " plugin \"PodTopologySpred\"; did you mean \"PodTopologySpread\"?",
                                "evenkeel: " + file + ":8:31: profiles[1].plugins.filter.enabled[0].name: the plugin"
                                        + " ImageLocality does not work at this point, but at score",
                                "evenkeel: " + file + ":9:25: profiles[1].pluginConfig[0].name: there is no plugin"
                                        + " \"NodeAfinity\"; did you mean \"NodeAffinity\"?")));
        assertThat(files.resolve("written.yaml")).doesNotExist();
    }

    @Test
    void aFieldIsRefusedWithoutItsFeatureGate() throws IOException {
        Path file = Files.writeString(files.resolve("cfg.yaml"), """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - pluginConfig: [{name: VolumeBinding, args: {shape: [{utilization: 0, score: 10}]}}]\
            """);
        String written = "--write-config-to=" + files.resolve("written.yaml");

        assertThat(run("--config=" + file, written))
                .isEqualTo(new Outcome(
                        1,
                        List.of("evenkeel: " + file + ":4:54: profiles[0].pluginConfig[0].args.shape: needs the feature"
                                + " gate StorageCapacityScoring, which is off; remove the field or turn the gate on")));
        assertThat(run("--config=" + file, written, "--feature-gates=StorageCapacityScoring=true")
                        .exitCode())
                .isZero();
        assertThat(files.resolve("written.yaml")).content().contains("shape:");
    }

    /** {@link Difference#POD_GROUP_POST_FILTER}. */
    @ParameterizedTest
    @EnumSource
    void pluginsForGroupsMayBeNamedFrom137On(CompatibilityLevel level) throws IOException {
        Path file = Files.writeString(files.resolve("cfg.yaml"), """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - plugins: {podGroupPostFilter: {enabled: [{name: DefaultPreemption}]}}\
            """);
        Path written = files.resolve("written.yaml");
        String levelFlag = "--emulated-version=" + level;

        Outcome outcome = run("--config=" + file, "--write-config-to=" + written, levelFlag);
        if (level == CompatibilityLevel.V1_36) {
            assertThat(outcome)
                    .isEqualTo(new Outcome(
                            1,
                            List.of("evenkeel: " + file
                                    + ":4:33: profiles[0].plugins.podGroupPostFilter: unknown field;"
                                    + " kube-scheduler has it from 1.37 on")));
        } else {
            assertThat(outcome.exitCode()).isZero();
            assertThat(written).content().contains("podGroupPostFilter:");
        }
        Files.writeString(file, Files.readString(file).replace("DefaultPreemption", "ImageLocality"));
        assertThat(run("--config=" + file, "--write-config-to=" + written, levelFlag)
                        .err())
                .anyMatch(line -> line.endsWith("the plugin ImageLocality does not work at this point, but at score"));
    }

    @Test
    void weightsThatAddUpToLessThanNothingAreRefusedInEitherUse() throws IOException {
        Path file = Files.writeString(files.resolve("cfg.yaml"), """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - plugins: {score: {enabled: [{name: NodeAffinity, weight: -1}]}}
            """);
        Outcome refused = new Outcome(
                1,
                List.of("evenkeel: " + file + ":4:20: profiles[0].plugins.score: total score of Score plugins could"
                        + " overflow: with NodeAffinity's -1 the weights add up to -1, and other plugins follow"));

        assertThat(run("--config=" + file, "--kubeconfig=" + kubeconfig)).isEqualTo(refused);
        assertThat(run("--config=" + file, "--write-config-to=" + files.resolve("written.yaml")))
                .isEqualTo(refused);
        assertThat(files.resolve("written.yaml")).doesNotExist();
    }

    @Test
    void aKubeconfigThatIsMissingIsOneLine() {
        Path absent = files.resolve("absent.yaml");

        Outcome outcome = run("--kubeconfig=" + absent, "--secure-port=0");

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err())
                .singleElement()
                .asString()
                .startsWith("evenkeel: ")
                .contains(absent.toString());
    }

    @Test
    void anUnknownFieldOfTheConfigurationIsOneLineThatNamesFileAndField() throws IOException {
        Path broken = configuration("parallelisms: 8");

        Outcome outcome = run("--kubeconfig=" + kubeconfig, "--config=" + broken);

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err())
                .singleElement()
                .asString()
                .startsWith("evenkeel: " + broken)
                .contains(": parallelisms: unknown field");
        assertThat(ofScheduler()).isEmpty();
    }

    @Test
    void aConfigurationThatIsMissingIsOneLine() {
        Path absent = files.resolve("absent.yaml");

        Outcome outcome = run("--kubeconfig=" + kubeconfig, "--config=" + absent);

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err()).containsExactly("evenkeel: " + absent + " does not exist");
    }

    @Test
    void aFileThatCannotBeWrittenIsOneLine() {
        Path nowhere = files.resolve("nowhere");

        assertThat(run("--write-config-to=" + nowhere.resolve("cfg.yaml")))
                .isEqualTo(new Outcome(
                        1,
                        List.of("evenkeel: " + nowhere.resolve("cfg.yaml") + " cannot be written: " + nowhere
                                + " does not exist")));
    }

    @Test
    void anUnknownFlagIsAMistypedCommand() {
        Outcome outcome = run("--cubeconfig=" + kubeconfig);

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .containsExactly("evenkeel: there is no option \"--cubeconfig\"; did you mean \"--kubeconfig\"?"
                        + " See 'evenkeel run --help'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--kube-api-burst=-1|'--kube-api-burst': must be between 0 and 1000000, got -1",
                "--kube-api-qps=1e30|'--kube-api-qps': must be between 0.001 and 1000000, 0 for the default or negative"
                        + " for no limit, got 1e30",
                "--kube-api-qps=NaN|'--kube-api-qps': expected a number, got \"NaN\"",
                "--kubeconfig=|'--kubeconfig': must not be empty",
                "--master=not a url|'--master': expected the address of a server such as https://10.0.0.1:6443, got"
                        + " \"not a url\"",
                "--master=ftp://x|'--master': expected the address of a server such as https://10.0.0.1:6443, got"
                        + " \"ftp://x\"",
                "--master=10.0.0.1:x|'--master': expected the address of a server such as https://10.0.0.1:6443, got"
                        + " \"10.0.0.1:x\"",
                "--config=|'--config': must not be empty",
                "--context=|'--context': must not be empty",
                "--master=|'--master': must not be empty",
                "-v=-1|'--v': must be at least 0 and fit 32 bits, got -1",
                "-v=much|'--v': expected a whole number, got \"much\"",
                "--shutdown-grace=-5s|'--shutdown-grace': must not be negative, got -5s",
                "--shutdown-grace=9000h|'--shutdown-grace': must be at most 8760h, got 9000h",
                "--pod-max-in-unschedulable-pods-duration=0|'--pod-max-in-unschedulable-pods-duration': must be"
                        + " greater than zero, got 0",
                "--authorization-webhook-cache-authorized-ttl=-1s|'--authorization-webhook-cache-authorized-ttl'"
                        + ": must not be negative, got -1s",
                "--permit-port-sharing|'--permit-port-sharing': cannot be true: SO_REUSEPORT is never set",
                "--log-text-split-stream=true|'--log-text-split-stream': cannot be true: all lines go to standard"
                        + " error",
                "--vmodule=queue=4,foo|'--vmodule': \"foo\" does not have the form PATTERN=N",
                "--profiling=no|'--profiling': expected true or false, got \"no\"",
                "--emulated-version=1.35|'--emulated-version': expected 1.36, 1.37 or 1.38, with or without kube= in"
                        + " front, got \"1.35\"",
                "--show-hidden-metrics-for-version=1.30|'--show-hidden-metrics-for-version': expected 1.35 or 1.36 or"
                        + " 1.37, got \"1.30\": only the previous minor version is allowed",
                "--min-compatibility-version=kube=1.32|'--min-compatibility-version': expected 1.33 or 1.34 or 1.35 or"
                        + " 1.36 or 1.37 or 1.38 or kube=1.33 or kube=1.34 or kube=1.35 or kube=1.36 or kube=1.37 or"
                        + " kube=1.38, got \"kube=1.32\": kube-scheduler has no other",
                "--log-json-info-buffer-size=much|'--log-json-info-buffer-size': expected a size such as 2Ki, got"
                        + " \"much\"",
                "--leader-elect-resource-lock=endpoints|'--leader-elect-resource-lock': expected leases, got"
                        + " \"endpoints\": no other lock is supported",
                "--feature-gates=GangScheduling=true,GenericWorkload=true|--feature-gates: GangScheduling=true is not"
                        + " supported: enable the plugin GangScheduling in a profile instead",
                "--leader-elect-lease-duration=5s|--leader-elect-lease-duration: must be greater than"
                        + " --leader-elect-renew-deadline, which is 10s",
            })
    void aValueThatMakesNoSenseIsOneLine(String flag, String message) {
        Outcome outcome = run(flag, "--write-config-to=" + files.resolve("written.yaml"));

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .singleElement()
                .asString()
                .startsWith("evenkeel: ")
                .contains(message + "; see 'evenkeel run --help'");
        assertThat(files.resolve("written.yaml")).doesNotExist();
    }

    @Test
    void aFlagWithoutEffectIsTakenAndNamed() throws IOException, InterruptedException {
        try (RunProcess scheduler = start(
                "--contention-profiling=false",
                "--disable-http2-serving",
                "--kube_api_content_type=application/json",
                "--rebalance-every=1m",
                "--whatif-port=0",
                "--feature-gates=MemoryQoS=true,TaintTolerationComparisonOperators=true")) {
            scheduler.awaitLogged("INFO  Successfully acquired lease");
            scheduler.terminate();

            assertThat(scheduler.log().stream()
                            .filter(line -> line.contains("no effect"))
                            .map(line -> line.substring(line.indexOf(" INFO"))))
                    .containsExactly(
                            " INFO  Flag has no effect flag=--contention-profiling why=\"no locks are profiled\"",
                            " INFO  Flag has no effect flag=--kube-api-content-type why=\"protobuf is requested,"
                                    + " JSON accepted where a server has no protobuf\"",
                            " INFO  Flag has no effect flag=--disable-http2-serving why=\"HTTP/1.1 is served\"",
                            " INFO  Flag has no effect flag=--rebalance-every why=\"it needs --rebalance\"",
                            " INFO  Flag has no effect flag=--whatif-port why=\"it needs --whatif-api\"",
                            " INFO  Feature gates have no effect gates=[MemoryQoS]");
        }
    }

    @Test
    void aRateBelowZeroIsNoLimitAndZeroIsAsConfigured() throws IOException {
        Path written = files.resolve("written.yaml");

        assertThat(run("--kube-api-qps=-3", "--kube-api-burst=0", "--write-config-to=" + written)
                        .exitCode())
                .isZero();
        SchedulerConfiguration read = new ConfigurationReader().read(written.toString(), Files.readString(written));
        assertThat(read.clientConnection().qps()).isNegative();
        assertThat(read.clientConnection().burst()).isEqualTo(100);
    }

    @Test
    void theCompletedConfigurationIsWrittenAndReadTheSameAgain() throws IOException {
        Path written = files.resolve("written.yaml");

        Outcome outcome = run(
                "--config=" + configuration("parallelism: 8"),
                "--leader-elect-lease-duration=40s",
                "--kube-api-qps=7",
                "--write-config-to=" + written);

        assertThat(outcome).isEqualTo(new Outcome(0, List.of()));
        SchedulerConfiguration read = new ConfigurationReader().read(written.toString(), Files.readString(written));
        assertThat(read.parallelism()).isEqualTo(8);
        assertThat(read.clientConnection().qps()).isEqualTo(7);
        assertThat(read.leaderElection().leaseDuration()).hasSeconds(40);
        assertThat(read.leaderElection().resourceName()).isEqualTo("evenkeel");
        assertThat(ofScheduler()).isEmpty();
    }

    /** As with kube-scheduler, whose flag is for those who have no file. */
    @Test
    void profilingIsAsTheFlagSaysWhereNoConfigurationSaysIt() throws IOException {
        Path written = files.resolve("written.yaml");

        run("--profiling=false", "--write-config-to=" + written);
        assertThat(Files.readString(written)).contains("enableProfiling: false", "enableContentionProfiling: true");

        run("--config=" + configuration("parallelism: 8"), "--profiling=false", "--write-config-to=" + written);
        assertThat(Files.readString(written)).contains("enableProfiling: true");
    }

    @Test
    void withoutAConfigurationThereIsOneProfileNamedEvenkeel() throws IOException {
        Path written = files.resolve("written.yaml");

        assertThat(run("--write-config-to=" + written).exitCode()).isZero();
        assertThat(new ConfigurationReader()
                        .read(written.toString(), Files.readString(written))
                        .profiles())
                .extracting(profile -> profile.schedulerName())
                .containsExactly("evenkeel");
    }

    private Path configuration(String field) throws IOException {
        return Files.writeString(
                files.resolve("config.yaml"),
                "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" + field + "\n");
    }

    private RunProcess start(String... arguments) throws IOException {
        return new RunProcess(
                files.resolve("log"),
                Stream.concat(Stream.of("--kubeconfig=" + kubeconfig, "--secure-port=0"), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private static Outcome run(String... arguments) {
        StringWriter err = new StringWriter();
        int exitCode = Evenkeel.commandLine()
                .setErr(new PrintWriter(err, true))
                .execute(Stream.concat(Stream.of("run"), Stream.of(arguments)).toArray(String[]::new));
        return new Outcome(exitCode, err.toString().lines().toList());
    }

    private String nodeOfPod() {
        JsonObject spec = object(cluster.objects()
                        .get(ResourceTable.PODS, "default", "web")
                        .orElseThrow())
                .getAsJsonObject("spec");
        return spec.has("nodeName") ? spec.get("nodeName").getAsString() : "";
    }

    /** Of the Lease. */
    private String holder() {
        JsonObject spec = object(cluster.objects()
                        .get(ResourceTable.LEASES, "kube-system", "evenkeel")
                        .orElseThrow())
                .getAsJsonObject("spec");
        return spec.has("holderIdentity") ? spec.get("holderIdentity").getAsString() : "";
    }

    private static JsonObject object(String json) {
        return JsonParser.parseString(json).getAsJsonObject();
    }

    private List<LoggedRequest> ofScheduler() {
        return cluster.requestLog().requests().stream()
                .filter(request -> request.user().equals(SCHEDULER))
                .toList();
    }

    private static String get(int port, String path) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            var answer = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .build(),
                    BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body().strip();
        }
    }
}
