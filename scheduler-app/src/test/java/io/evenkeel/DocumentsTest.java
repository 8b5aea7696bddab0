package io.evenkeel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files, classes and packages that the documents name are there. */
class DocumentsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern QUOTED = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern TEST = Pattern.compile("[A-Z]\\w+Test");
    private static final Pattern ROOM = Pattern.compile("\\.?[a-z]+(\\.[a-z]+)*");

    @ParameterizedTest
    @MethodSource("documents")
    void eachFileOfTheTreeIsThere(Path document) throws IOException {
        Set<String> tops = tops();
        assertThat(quoted(Files.readString(document))
                        .filter(name -> name.matches("[\\w./-]+") && name.contains("/"))
                        .filter(name -> tops.contains(name.substring(0, name.indexOf('/'))))
                        .filter(name -> !name.contains("/target/") && !name.endsWith("/target")))
                .allSatisfy(name -> assertThat(ROOT.resolve(name)).exists());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void eachTestIsThere(Path document) throws IOException {
        Set<String> tests = sources("test")
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());
        assertThat(quoted(Files.readString(document))
                        .filter(name -> TEST.matcher(name).matches()))
                .allSatisfy(name -> assertThat(tests).contains(name));
    }

    @Test
    void theTableOfPackagesNamesThoseThatAreThere() throws IOException {
        Set<String> packages = packages();
        assertThat(named())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(whole(row, packages)).hasSameSizeAs(row));
    }

    @Test
    void theTableOfPackagesNamesEachOrOneAboveIt() throws IOException {
        Set<String> packages = packages();
        Set<String> named =
                named().stream().flatMap(row -> whole(row, packages).stream()).collect(Collectors.toSet());
        assertThat(packages.stream()
                        .filter(one -> named.stream().noneMatch(above -> (one + ".").startsWith(above + "."))))
                .isEmpty();
    }

    /** {@code app.http}, {@code .auth} are app.http and app.http.auth, {@code app.http.auth}, {@code .trust} two beside each other. */
    private static List<String> whole(List<String> row, Set<String> packages) {
        String first = row.getFirst();
        return row.stream()
                .flatMap(name -> name.startsWith(".")
                        ? Stream.of(first + name, first.substring(0, Math.max(first.lastIndexOf('.'), 0)) + name)
                        : Stream.of(name))
                .filter(name -> packages.stream().anyMatch(one -> (one + ".").startsWith(name + ".")))
                .toList();
    }

    /** Of each row of the table the packages in its second cell. */
    private static List<List<String>> named() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/ARCHITECTURE.md")).stream()
                .dropWhile(line -> !line.equals("| module | package | what lives there |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> quoted(line.split("\\|", -1)[2])
                        .map(name -> name.replace(".*", ""))
                        .filter(name -> ROOM.matcher(name).matches())
                        .toList())
                .filter(row -> !row.isEmpty())
                .toList();
    }

    private static Set<String> packages() throws IOException {
        return sources("main")
                .map(file -> file.toString().replaceAll(".*/src/main/java/io/evenkeel/|/[^/]*$", ""))
                .map(name -> name.replace('/', '.'))
                .collect(Collectors.toSet());
    }

    private static Stream<Path> sources(String kind) throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules
                    .map(module -> module.resolve("src/" + kind + "/java/io/evenkeel"))
                    .filter(Files::isDirectory)
                    .flatMap(DocumentsTest::below)
                    .filter(file -> file.toString().endsWith(".java"))
                    .toList()
                    .stream();
        }
    }

    static Stream<Path> documents() throws IOException {
        return Stream.concat(
                        below(ROOT.resolve("docs")),
                        Stream.of("README.md", "CONTRIBUTING.md", "charts/evenkeel/README.md")
                                .map(ROOT::resolve))
                .filter(file -> file.toString().endsWith(".md"));
    }

    private static Stream<Path> below(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a build makes is there or not, as the build goes. */
    private static Set<String> tops() throws IOException {
        try (Stream<Path> files = Files.list(ROOT)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("target"))
                    .collect(Collectors.toSet());
        }
    }

    private static Stream<String> quoted(String text) {
        return QUOTED.matcher(text).results().map(found -> found.group(1));
    }
}
