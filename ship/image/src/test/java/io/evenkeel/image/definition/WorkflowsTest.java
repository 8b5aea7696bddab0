package io.evenkeel.image.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/** What a forge would refuse, or should not be trusted with, in .github. */
class WorkflowsTest {
    private static final Path FORGE = Path.of("../..", ".github");
    /** Whoever owns an action can move its tags, and a release has rights to publish. */
    private static final Pattern PINNED = Pattern.compile("[\\w./-]+@[0-9a-f]{40}");
    /** What uses a job's identity: to sign, to attest, to publish what was measured. */
    private static final Pattern SIGNING = Pattern.compile("cosign-installer|attest-|scorecard-action");

    static Stream<Path> workflows() throws IOException {
        try (Stream<Path> files = Files.list(FORGE.resolve("workflows"))) {
            return files.toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void aWorkflowMayReadOnlyUnlessAJobSaysMore(Path file) throws IOException {
        assertThat(read(file)).extractingByKey("permissions").isEqualTo(Map.of("contents", "read"));
    }

    /** A commit of main whose run is cancelled has no verdict, and a release that is cancelled is half of one. */
    @ParameterizedTest
    @MethodSource("workflows")
    void onlyARunForAPullRequestGivesWayToTheNext(Path file) throws IOException {
        assertThat(read(file))
                .extractingByKey("concurrency", InstanceOfAssertFactories.MAP)
                .containsKey("group")
                .satisfies(concurrency -> {
                    Object cancels = concurrency.getOrDefault("cancel-in-progress", false);
                    if (!cancels.equals(false)) {
                        assertThat(cancels).isEqualTo("${{ github.event_name == 'pull_request' }}");
                        assertThat(concurrency.get("group"))
                                .asString()
                                .contains("github.event_name == 'pull_request' && github.ref || github.run_id");
                    }
                });
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void jobsEndAndWaitForJobsThereAre(Path file) throws IOException {
        Map<String, Map<String, Object>> jobs = jobs(file);
        assertThat(jobs).isNotEmpty();
        jobs.forEach((name, job) -> {
            assertThat(job).as(name).containsKeys("runs-on", "timeout-minutes", "steps");
            Object needs = job.getOrDefault("needs", List.of());
            assertThat(jobs.keySet())
                    .containsAll(needs instanceof List<?> several ? texts(several) : texts(List.of(needs)));
        });
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void stepsRunOrUseACommitOfAnAction(Path file) throws IOException {
        assertThat(jobs(file).values())
                .flatExtracting(job -> (List<?>) job.get("steps"))
                .allSatisfy(step -> {
                    Map<?, ?> said = (Map<?, ?>) step;
                    assertThat(said.containsKey("run")).as("%s", said).isNotEqualTo(said.containsKey("uses"));
                    if (said.get("uses") instanceof String action) {
                        assertThat(action).matches(PINNED);
                    }
                });
    }

    /** Whoever reads a job sees all that it may do; who can sign as this repository is whoever signs or is measured. */
    @ParameterizedTest
    @MethodSource("workflows")
    void everyJobSaysWhatItMayAndOnlySigningAsksForAnIdentity(Path file) throws IOException {
        jobs(file).forEach((name, job) -> {
            assertThat(job).as(name).containsKey("permissions");
            boolean signs = steps(job)
                    .anyMatch(step ->
                            SIGNING.matcher(String.valueOf(step.get("uses"))).find());
            assertThat(((Map<?, ?>) job.get("permissions")).containsKey("id-token"))
                    .as(name)
                    .isEqualTo(signs);
        });
    }

    /** Any later step, or what it builds, could push with them. */
    @ParameterizedTest
    @MethodSource("workflows")
    void noCheckoutLeavesItsCredentialsBehind(Path file) throws IOException {
        assertThat(jobs(file).values().stream()
                        .flatMap(WorkflowsTest::steps)
                        .filter(step -> String.valueOf(step.get("uses")).startsWith("actions/checkout@")))
                .allSatisfy(step ->
                        assertThat(step).extractingByKey("with", MAP).containsEntry("persist-credentials", false));
    }

    /** What a package manager has today is not what it has tomorrow. */
    @ParameterizedTest
    @MethodSource("workflows")
    void whatIsFetchedIsCheckedAndNotWhateverThereIsToday(Path file) throws IOException {
        assertThat(jobs(file).values().stream()
                        .flatMap(WorkflowsTest::steps)
                        .map(step -> String.valueOf(step.get("run"))))
                .allSatisfy(run -> {
                    assertThat(run).doesNotContain("apt-get install", "pip install", "npm install");
                    if (run.contains("curl ")) {
                        assertThat(run).contains("sha256sum --check");
                    }
                });
    }

    @Test
    void whatIsNotToBeUpdatedIsWhereThatMendsAVulnerability() throws IOException {
        assertThat((List<?>) read(FORGE.resolve("dependabot.yml")).get("updates"))
                .map(update -> ((Map<?, ?>) update).get("ignore"))
                .filteredOn(List.class::isInstance)
                .flatExtracting(ignored -> (List<?>) ignored)
                .isNotEmpty()
                .allSatisfy(ignored -> assertThat((List<?>) ((Map<?, ?>) ignored).get("update-types"))
                        .isNotEmpty()
                        .allSatisfy(type -> assertThat(type).asString().startsWith("version-update:")));
    }

    @Test
    void everyTargetIsFuzzedEachNight() throws IOException {
        Map<String, Object> job = jobs(FORGE.resolve("workflows/fuzz.yml")).get("fuzz");
        Map<?, ?> strategy = (Map<?, ?>) job.get("strategy");
        Map<?, ?> matrix = (Map<?, ?>) strategy.get("matrix");
        try (Stream<Path> sources = Files.walk(Path.of("../..", "proof", "fuzz", "src", "test", "java"))) {
            assertThat(texts((List<?>) matrix.get("target")))
                    .containsExactlyInAnyOrderElementsOf(
                            sources.map(file -> file.getFileName().toString())
                                    .filter(name -> name.endsWith("FuzzTest.java"))
                                    .map(name -> name.replace("FuzzTest.java", ""))
                                    .toList());
        }
    }

    @Test
    void everythingWithVersionsIsKeptUpToDate() throws IOException {
        assertThat(read(FORGE.resolve("dependabot.yml")))
                .containsEntry("version", 2)
                .extractingByKey("updates")
                .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
                .extracting(update -> update.get("package-ecosystem"))
                .containsExactlyInAnyOrder("maven", "npm", "github-actions", "docker");
    }

    @SuppressWarnings("unchecked")
    private static Stream<Map<String, Object>> steps(Map<String, Object> job) {
        return ((List<Map<String, Object>>) job.get("steps")).stream();
    }

    private static List<String> texts(List<?> values) {
        return values.stream().map(String::valueOf).toList();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Object>> jobs(Path file) throws IOException {
        return (Map<String, Map<String, Object>>)
                (Map<?, ?>) (Map<String, Object>) read(file).get("jobs");
    }

    private static Map<String, Object> read(Path file) throws IOException {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return new Yaml(options).load(Files.readString(file));
    }
}
