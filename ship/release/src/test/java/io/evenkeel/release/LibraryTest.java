package io.evenkeel.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Maven repository of what programs that ask stand on; module library builds the examples with it alone. */
final class LibraryTest {
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
    private static final Pattern OURS =
            Pattern.compile("<groupId>io\\.evenkeel</groupId>\\s*<artifactId>([^<]+)</artifactId>");

    @TempDir
    Path folder;

    private Path ours;

    @BeforeEach
    void unpack() throws Exception {
        ours = ReleaseFiles.unpack(ReleaseFiles.file("-maven.tar.gz"), folder).resolve("io/evenkeel");
    }

    @Test
    void itHasWhatIsAskedForWithAllThatThisNeedsAndNothingElse() throws IOException {
        Set<String> needed = new TreeSet<>();
        Deque<String> next = new ArrayDeque<>(List.of("scheduler-whatif-client-java", "scheduler-serve"));
        while (!next.isEmpty()) {
            String artifact = next.remove();
            if (needed.add(artifact)) {
                DEPENDENCY
                        .matcher(Files.readString(file(artifact, ".pom")))
                        .results()
                        .map(dependency -> dependency.group(1))
                        .filter(dependency -> !dependency.contains("<scope>test</scope>"))
                        .flatMap(dependency -> OURS.matcher(dependency).results())
                        .forEach(dependency -> next.add(dependency.group(1)));
            }
        }
        needed.add("evenkeel-parent");

        try (Stream<Path> artifacts = Files.list(ours)) {
            assertThat(artifacts.map(artifact -> artifact.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(needed);
        }
    }

    @Test
    void theMessagesLieInTheirJarAndItsSources() throws IOException {
        for (String ending : List.of(".jar", "-sources.jar")) {
            try (ZipFile jar = new ZipFile(file("scheduler-serve", ending).toFile())) {
                assertThat(jar.getEntry("evenkeel/whatif/v1/whatif.proto")).isNotNull();
            }
        }
    }

    @Test
    void everyJarHasItsSourcesAndWhatIsAskedHasJavadoc() throws IOException {
        try (Stream<Path> files = Files.walk(ours)) {
            assertThat(files.map(Path::toString)
                            .filter(file -> file.endsWith(ReleaseFiles.VERSION + ".jar"))
                            .map(file -> Path.of(file.replaceAll("\\.jar$", "-sources.jar"))))
                    .hasSizeGreaterThan(10)
                    .allSatisfy(sources -> assertThat(sources).exists());
        }
        assertDocumented("scheduler-whatif", "io/evenkeel/whatif/ClusterSnapshot.html");
        assertDocumented("scheduler-whatif-client-java", "io/evenkeel/whatif/clientjava/package-summary.html");
    }

    private void assertDocumented(String artifact, String page) throws IOException {
        try (ZipFile javadoc = new ZipFile(file(artifact, "-javadoc.jar").toFile())) {
            assertThat(javadoc.getEntry(page)).isNotNull();
        }
    }

    @Test
    void everyFileHasTheChecksumThatMavenAsksFor() throws Exception {
        try (Stream<Path> files = Files.walk(ours)) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(file -> !file.toString().endsWith(".sha1"))
                            .toList())
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(Path.of(file + ".sha1"))
                            .content()
                            .isEqualTo(HexFormat.of()
                                            .formatHex(MessageDigest.getInstance("SHA-1")
                                                    .digest(Files.readAllBytes(file)))
                                    + "\n"));
        }
    }

    private Path file(String artifact, String ending) {
        return ours.resolve(artifact)
                .resolve(ReleaseFiles.VERSION)
                .resolve(artifact + "-" + ReleaseFiles.VERSION + ending);
    }
}
