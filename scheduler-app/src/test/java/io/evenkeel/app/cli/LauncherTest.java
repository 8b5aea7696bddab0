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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

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

    @TempDir
    Path checkout;

    @TempDir
    Path jdk;

    private Process running;

    @BeforeEach
    void makeCheckout() throws IOException {
        copy("evenkeel");
        copy(".mvn/find-jdk25.sh");
        script(checkout.resolve("mvnw"), MAVEN);
        write(checkout.resolve("pom.xml"), "<project/>");
        for (String module : List.of("scheduler-core", "hollow-cluster", "scheduler-lab")) {
            write(checkout.resolve(module + "/pom.xml"), "<project/>");
            write(checkout.resolve(module + "/src/main/java/A.java"), "");
        }
        write(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        script(jdk.resolve("bin/javac"), "#!/bin/sh\n");
        script(jdk.resolve("bin/java"), "#!/bin/sh\necho \"java $*\"\n");
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        write(checkout.resolve("go"), "");
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
            assertThat(errors.readAllLines()).last().asString().matches("evenkeel: built in \\d+ s");
        }
        assertThat(output()).singleElement().asString().startsWith("java ").endsWith("Evenkeel demo --once");
        assertThat(running.waitFor()).isZero();
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

    private void buildOnce() throws IOException, InterruptedException {
        write(checkout.resolve("go"), "");
        start("version");
        errors();
        assertThat(running.waitFor()).isZero();
    }

    private void start(String... arguments) throws IOException {
        List<String> command = Stream.concat(
                        Stream.of("bash", checkout.resolve("evenkeel").toString()), Stream.of(arguments))
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("JAVA_HOME", jdk.toString());
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
