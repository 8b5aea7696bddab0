package io.evenkeel.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code ./evenkeel}, in a checkout whose Maven and JDK only say how they were called. */
@DisabledOnOs(OS.WINDOWS)
final class LauncherTest {
    private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

    /** Reports its first module, and goes on when there is a file go, so that a test need not guess how long to wait. */
    private static final String MAVEN = """
        #!/bin/sh
        echo "$@" >>maven-calls
        echo "[INFO] Building Evenkeel 0.1.0-SNAPSHOT                              [1/4]"
        echo "[INFO] Building Evenkeel :: core 0.1.0-SNAPSHOT                      [2/4]"
        while [ ! -f go ]; do sleep 0.05; done
        if [ -f broken ]; then
          echo "[ERROR] COMPILATION ERROR :"
          echo "[ERROR] Engine.java:[7,1] class expected"
          exit 1
        fi
        mkdir -p scheduler-lab/target/launcher/app
        touch scheduler-lab/target/launcher/app/evenkeel.jar
        """;

    /** Says what it was asked for and waits for a file learned; with a file untrainable it fails, as where there is no port. */
    private static final String TRAINING = """
        #!/bin/sh
        here=$(dirname "$0")
        echo "$@" >>"$here/training-calls"
        echo learned >"$3"
        [ ! -f "$here/asking" ] || echo learned >"$WHY_CACHE"
        if [ -f "$here/untrainable" ]; then echo "no port" >&2; exit 1; fi
        while [ ! -f "$here/learned" ]; do sleep 0.05; done
        """;

    @TempDir
    Path checkout;

    @TempDir
    Path jdk;

    private Process running;

    @BeforeEach
    void makeCheckout() throws IOException {
        copy("evenkeel");
        copy(".mvn/find-jdk.sh");
        copy(".mvn/commit.sh");
        copy("ship/image/jvm-options");
        script(checkout.resolve("ship/image/train"), TRAINING);
        script(checkout.resolve("mvnw"), MAVEN);
        write(checkout.resolve("pom.xml"), "<project/>");
        for (String module : List.of("scheduler-core", "kubernetes/client", "scheduler-lab")) {
            write(checkout.resolve(module + "/pom.xml"), "<project/>");
            write(checkout.resolve(module + "/src/main/java/A.java"), "");
        }
        write(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        script(jdk.resolve("bin/javac"), "#!/bin/sh\n");
        script(jdk.resolve("bin/java"), "#!/bin/sh\necho \"java $*\"\n");
    }

    @AfterEach
    void end() throws Exception {
        write(checkout.resolve("go"), "");
        letTrainingEnd();
        if (running != null && !running.waitFor(10, TimeUnit.SECONDS)) {
            running.destroyForcibly();
        }
    }

    @Test
    void theFirstCommandSaysThatItBuildsAndWhichModuleThenRunsWhatWasAskedFor() throws Exception {
        start("demo", "--once");
        try (BufferedReader errors = running.errorReader(UTF_8)) {
            assertThat(errors.readLine()).startsWith("evenkeel: building, as there is no build yet");
            assertThat(errors.readLine()).isEqualTo("evenkeel: [2/4] core");
            write(checkout.resolve("go"), "");
            assertThat(errors.readAllLines())
                    .endsWith("evenkeel: training the JVM in the background, so that later commands start faster")
                    .anyMatch(line -> line.matches("evenkeel: built in \\d+ s"));
        }
        assertThat(output()).singleElement().asString().startsWith("java ").endsWith("Evenkeel demo --once");
        assertThat(running.waitFor()).isZero();
    }

    /** The training here does not end before the command has. */
    @Test
    void whatWasAskedForDoesNotWaitForTheTraining() throws Exception {
        write(checkout.resolve("go"), "");
        start("demo");
        assertThat(output()).singleElement().asString().doesNotContain("AOT");
        assertThat(running.waitFor()).isZero();

        start("demo");
        assertThat(errors()).isEmpty();
        assertThat(output()).singleElement().asString().doesNotContain("AOT");
        assertThat(caches()).isEmpty();

        letTrainingEnd();
        assertThat(jvmOf("demo")).contains("-XX:AOTCache=" + cache());
        assertThat(trainings()).hasSize(1);
    }

    @Test
    void aMeasurementWaitsForTheTraining() throws Exception {
        write(checkout.resolve("go"), "");
        write(learned(), "");

        start("bench");

        assertThat(errors()).last().asString().startsWith("evenkeel: training the JVM first");
        assertThat(caches()).hasSize(1);
    }

    /** It waits before its first line is read, and the training ends after that. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMeasurementWaitsForTheTrainingOfAnotherCommandToo(boolean hasLocks) throws Exception {
        Path noLocks = jdk.resolve("no-locks");
        write(noLocks, "command() { [ \"$2\" != flock ] && builtin command \"$@\"; }\n");
        Map<String, String> environment = hasLocks ? Map.of() : Map.of("BASH_ENV", noLocks.toString());
        write(checkout.resolve("go"), "");
        start(environment, "version");
        assertThat(running.waitFor()).isZero();
        while (!Files.exists(checkout.resolve("ship/image/training-calls"))) {
            TimeUnit.MILLISECONDS.sleep(10);
        }

        start(environment, "bench");
        try (BufferedReader errors = running.errorReader(UTF_8)) {
            assertThat(errors.readLine()).startsWith("evenkeel: waiting for the training of the JVM");
            assertThat(running.isAlive()).isTrue();
            write(learned(), "");
            assertThat(errors.readAllLines()).isEmpty();
        }
        assertThat(output()).hasSize(1);
        assertThat(caches()).hasSize(1);
        assertThat(trainings()).hasSize(1);
    }

    /** The training here does not end before both commands have. */
    @Test
    void whoeverWaitedForABuildDoesNotWaitForTheTrainingThatFollows() throws Exception {
        start("demo");
        Process first = running;
        while (!Files.exists(checkout.resolve("maven-calls"))) {
            TimeUnit.MILLISECONDS.sleep(10);
        }

        start("version");
        try (BufferedReader errors = running.errorReader(UTF_8)) {
            assertThat(errors.readLine()).startsWith("evenkeel: waiting for another build");
            write(checkout.resolve("go"), "");
            assertThat(errors.readAllLines()).isEmpty();
        }
        assertThat(output()).hasSize(1);
        assertThat(first.waitFor()).isZero();
        assertThat(mavenCalls()).hasSize(1);
    }

    @Test
    void theTabKeyBuildsNothingAndTrainsNothing() throws Exception {
        start("names", "pods");
        assertThat(errors()).isEmpty();
        assertThat(output()).isEmpty();
        assertThat(checkout.resolve("maven-calls")).doesNotExist();

        buildOnce();
        write(untrained(), "");
        start("names", "pods");
        assertThat(errors()).isEmpty();
        assertThat(output()).singleElement().asString().endsWith("Evenkeel names pods");
        Files.delete(untrained());
        assertThat(trainings()).hasSize(1);
    }

    /** As of another user, or of a disk that can only be read. */
    @ParameterizedTest
    @ValueSource(strings = {"version", "bench"})
    void whereNothingCanBeWrittenCommandsAreRunWithoutTraining(String command) throws Exception {
        buildOnce();
        write(untrained(), "");
        Path log = checkout.resolve("scheduler-lab/target/launcher/train.log");
        Files.delete(log);
        Files.createDirectory(log);

        start(command);

        assertThat(errors()).isEmpty();
        assertThat(output()).singleElement().asString().endsWith("Evenkeel " + command);
        Files.delete(untrained());
        assertThat(trainings()).hasSize(1);
    }

    @Test
    void theCommitIsThatOfTheCheckoutItself() throws Exception {
        git("init", "--quiet");
        git("add", ".mvn");
        git("commit", "--quiet", "--message", "First", "--date", "2020-02-02T02:02:02Z");
        buildOnce();
        String first = commit();
        assertThat(first).matches("-Devenkeel.commit=[0-9a-f]{40} \\d{4}-\\d\\d-\\d\\d");

        git("commit", "--quiet", "--message", "Second", "--allow-empty");
        assertThat(commit()).matches("-Devenkeel.commit=[0-9a-f]{40} .*").isNotEqualTo(first);
        write(checkout.resolve(".mvn/find-jdk.sh"), Files.readString(checkout.resolve(".mvn/find-jdk.sh")) + "\n");
        assertThat(commit()).contains("-dirty ");
        assertThat(mavenCalls()).hasSize(2);
    }

    @Test
    void aCheckoutWithinAnotherRepositoryHasNoCommitOfThat() throws Exception {
        git("init", "--quiet");
        git("commit", "--quiet", "--message", "Another's", "--allow-empty");
        checkout = checkout.resolve("inner");
        makeCheckout();
        buildOnce();

        assertThat(commit()).isEqualTo("-Devenkeel.commit=");
    }

    /** What the program is told, an argument of the JVM that may have a space. */
    private String commit() throws IOException {
        start("version");
        return output().getFirst().replaceFirst(".* (-Devenkeel\\.commit=.*) -cp .*", "$1");
    }

    private void git(String... arguments) throws Exception {
        List<String> command = Stream.concat(
                        Stream.of("git", "-c", "user.name=A", "-c", "user.email=a@example.com"), Stream.of(arguments))
                .toList();
        Process git = new ProcessBuilder(command)
                .directory(checkout.toFile())
                .inheritIO()
                .start();
        assertThat(git.waitFor()).isZero();
    }

    @Test
    void aTrainingThatWasCutOffIsBegunAgain() throws Exception {
        buildOnce();
        Files.delete(Path.of(cache()));
        write(untrained(), "");

        start("version");
        assertThat(errors()).singleElement().asString().startsWith("evenkeel: training the JVM in the background");
        letTrainingEnd();

        assertThat(caches()).hasSize(1);
        assertThat(mavenCalls()).hasSize(1);
    }

    @Test
    void aNewerJdkWillDoAndAnOlderWillNot() throws Exception {
        write(jdk.resolve("release"), "IMPLEMENTOR=\"Anybody\"\nJAVA_VERSION=\"26-ea\"\n");
        buildOnce();
        assertThat(jvmOf("run")).first().isEqualTo("java");

        write(jdk.resolve("release"), "JAVA_VERSION=\"17.0.9\"\n");
        start("version");
        // another JDK of this machine finds no Evenkeel here, and without one there is no start
        assertThat(output()).isEmpty();
    }

    @Test
    void theBuildIsTheOneWithoutLintsTestsAndGates() throws Exception {
        buildOnce();

        assertThat(mavenCalls()).containsExactly("-B -Plauncher -pl scheduler-lab -am package");
    }

    @Test
    void aBuildThatIsNewerThanTheSourcesIsUsedWithoutAWord() throws Exception {
        buildOnce();

        start("version");

        assertThat(errors()).isEmpty();
        assertThat(output()).hasSize(1);
        assertThat(mavenCalls()).hasSize(1);
    }

    @Test
    void changedSourcesAreBuiltAgain() throws Exception {
        buildOnce();
        Path source = checkout.resolve("scheduler-core/src/main/java/A.java");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));

        start("version");

        assertThat(errors()).first().asString().startsWith("evenkeel: building, as the sources are newer");
        assertThat(mavenCalls()).hasSize(2);
    }

    @Test
    void aBuildThatFailsIsOneLineWithItsReasonAndExitCode1() throws Exception {
        write(checkout.resolve("broken"), "");
        write(checkout.resolve("go"), "");

        start("demo");

        assertThat(errors())
                .last()
                .asString()
                .startsWith("evenkeel: the build failed: Engine.java:[7,1] class expected (all of it: ");
        assertThat(output()).isEmpty();
        assertThat(running.waitFor()).isEqualTo(1);
    }

    @Test
    void aBuildEndsWithTrainingForRunWhichStartsFromWhatWasLearned() throws Exception {
        buildOnce();

        List<String> run = jvmOf("run", "--dry-run");

        assertThat(run).contains("-XX:+ExitOnOutOfMemoryError", "-XX:AOTCache=" + cache());
        assertThat(trainings())
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith(jdk.resolve("bin/java") + " ")
                .contains(cache() + ".new -XX:MaxGCPauseMillis=20 ")
                .contains(compilation(run));
        assertThat(checkout.resolve("scheduler-lab/target/launcher/train.log"))
                .content()
                .matches("java .*/ship/image/RenewClasses.java .*/app/lib\n");
        assertThat(mavenCalls()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "1, '', true",
        "2, '', true",
        "2, -XX:+UseG1GC, false",
        "2, -XX:+UseZGC -Xmx1g, false",
        "3, '', false",
        "12, '', false"
    })
    void runCollectsOnOneThreadWhereThereAreTwoProcessorsAtMost(int processors, String options, boolean serial)
            throws Exception {
        buildOnce();
        script(checkout.resolve("bin/getconf"), "#!/bin/sh\necho " + processors + "\n");
        Map<String, String> machine =
                Map.of("PATH", checkout.resolve("bin") + ":" + System.getenv("PATH"), "EVENKEEL_JAVA_OPTS", options);

        assertThat(jvmOf(machine, "run").contains("-XX:+UseSerialGC")).isEqualTo(serial);
        assertThat(jvmOf(machine, "hollow")).doesNotContain("-XX:+UseSerialGC");
    }

    @Test
    void onlyRunIsCompiledLate() throws Exception {
        buildOnce();

        assertThat(compilation(jvmOf("run"))).contains("-XX:Tier4InvocationThreshold=");
        for (String other : List.of("bench", "replay", "hollow", "demo")) {
            assertThat(compilation(jvmOf(other))).as(other).isEmpty();
        }
    }

    @Test
    void allButBenchStartFromWhatWasLearned() throws Exception {
        buildOnce();

        for (String command : List.of("run", "replay", "hollow", "demo", "--version")) {
            assertThat(jvmOf(command)).as(command).contains("-XX:AOTCache=" + cache());
        }
        assertThat(jvmOf("bench")).noneMatch(option -> option.contains("AOT"));
    }

    @Test
    void whyStartsFromWhatWasLearnedOfIt() throws Exception {
        write(checkout.resolve("ship/image/asking"), "");
        buildOnce();

        assertThat(jvmOf("why", "web-1"))
                .filteredOn(option -> option.startsWith("-XX:AOTCache="))
                .singleElement()
                .asString()
                .endsWith("-why.aot");
        assertThat(jvmOf("run")).noneMatch(option -> option.endsWith("-why.aot"));
    }

    @Test
    void whatAnotherJdkLearnedIsNotUsed() throws Exception {
        buildOnce();
        write(jdk.resolve("release"), "JAVA_VERSION=\"25.0.2\"\n");

        assertThat(jvmOf("run")).noneMatch(option -> option.contains("AOT"));
    }

    @Test
    void optionsThatTheJvmRefusesBesideACacheDoWithoutIt() throws Exception {
        buildOnce();

        for (String own : List.of("-Xshare:off", "-XX:AOTMode=off")) {
            assertThat(jvmOf(Map.of("EVENKEEL_JAVA_OPTS", own), "run"))
                    .contains(own)
                    .noneMatch(option -> option.startsWith("-XX:AOTCache"));
        }
    }

    @Test
    void aTrainingThatFailsLeavesNothingAndIsNotWorthAWord() throws Exception {
        write(checkout.resolve("ship/image/untrainable"), "");
        write(checkout.resolve("go"), "");

        start("run");

        assertThat(errors()).last().asString().startsWith("evenkeel: training the JVM in the background");
        assertThat(output()).singleElement().asString().doesNotContain("AOT");
        assertThat(running.waitFor()).isZero();
        letTrainingEnd();
        assertThat(caches()).isEmpty();
        assertThat(jvmOf("run")).noneMatch(option -> option.contains("AOT"));
        assertThat(trainings()).hasSize(1);
    }

    @Test
    void aNewBuildForgetsWhatAnyJdkLearnedOfTheOldOne() throws Exception {
        buildOnce();
        String old = cache();
        write(jdk.resolve("release"), "JAVA_VERSION=\"25.0.2\"\n");
        changeASource();

        jvmOf("run");
        letTrainingEnd();

        assertThat(caches()).singleElement().asString().isNotEqualTo(old);
    }

    @Test
    void theCommandThatBuildsDoesNotStartFromWhatWasLearnedOfTheOldBuild() throws Exception {
        buildOnce();
        Files.delete(learned());
        changeASource();

        assertThat(jvmOf("run")).noneMatch(option -> option.contains("AOT"));
    }

    private void changeASource() throws IOException {
        Path source = checkout.resolve("scheduler-core/src/main/java/A.java");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    }

    private String cache() throws IOException {
        return caches().getFirst().toString();
    }

    private List<Path> caches() throws IOException {
        try (Stream<Path> files = Files.list(checkout.resolve("scheduler-lab/target/launcher/app"))) {
            return files.filter(file -> file.toString().endsWith(".aot")).toList();
        }
    }

    /** The options of the compilers among these. */
    private static String compilation(List<String> options) {
        return options.stream()
                .filter(option -> option.matches("-XX:(Tier|Compile).*"))
                .collect(Collectors.joining(" "));
    }

    /** The options of the JVM that a command is started with. */
    private List<String> jvmOf(String... arguments) throws IOException {
        return jvmOf(Map.of(), arguments);
    }

    private List<String> jvmOf(Map<String, String> environment, String... arguments) throws IOException {
        start(environment, arguments);
        String line = output().getFirst();
        return List.of(line.substring(0, line.indexOf(" -cp ")).split(" "));
    }

    private void buildOnce() throws Exception {
        write(checkout.resolve("go"), "");
        start("version");
        errors();
        assertThat(running.waitFor()).isZero();
        letTrainingEnd();
    }

    private void letTrainingEnd() throws Exception {
        write(learned(), "");
        while (Files.exists(untrained())) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        String unlocked = "! command -v flock >/dev/null || flock \"$0\" true";
        new ProcessBuilder("sh", "-c", unlocked, checkout.resolve("pom.xml").toString())
                .start()
                .waitFor();
    }

    private Path learned() {
        return checkout.resolve("ship/image/learned");
    }

    private Path untrained() {
        return checkout.resolve("scheduler-lab/target/launcher/app/.untrained");
    }

    private List<String> trainings() throws IOException {
        return Files.readAllLines(checkout.resolve("ship/image/training-calls"));
    }

    private void start(String... arguments) throws IOException {
        start(Map.of(), arguments);
    }

    private void start(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = Stream.concat(
                        Stream.of("bash", checkout.resolve("evenkeel").toString()), Stream.of(arguments))
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().putAll(environment);
        running = builder.start();
        running.getOutputStream().close();
    }

    private List<String> output() throws IOException {
        try (BufferedReader lines = running.inputReader(UTF_8)) {
            return lines.readAllLines();
        }
    }

    private List<String> errors() throws IOException {
        try (BufferedReader lines = running.errorReader(UTF_8)) {
            return lines.readAllLines();
        }
    }

    private List<String> mavenCalls() throws IOException {
        return Files.readAllLines(checkout.resolve("maven-calls"));
    }

    private void copy(String file) throws IOException {
        Path to = checkout.resolve(file);
        Files.createDirectories(to.getParent());
        Files.copy(REPOSITORY.resolve(file), to);
    }

    private static void script(Path file, String text) throws IOException {
        write(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
