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
    void eachDifferenceOnPurposeNamesTheTestThatHoldsIt() throws IOException {
        List<String> rows = Files.readAllLines(ROOT.resolve("docs/faq.md")).stream()
                .dropWhile(line -> !line.equals("| | kube-scheduler | Evenkeel | why | held by |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        assertThat(rows)
                .hasSizeGreaterThan(5)
                .allSatisfy(row -> assertThat(quoted(row.split("\\|", -1)[5])).anyMatch(TEST.asMatchPredicate()));
    }

    @Test
    void theTableOfPackagesNamesThoseThatAreThere() throws IOException {
        Set<String> packages = packages();
        assertThat(named()).isNotEmpty().allSatisfy(name -> assertThat(packages).anyMatch(one -> isIn(name, one)));
    }

    @Test
    void theTableOfPackagesNamesEachOrOneAboveIt() throws IOException {
        List<String> named = named();
        assertThat(packages()).allSatisfy(one -> assertThat(named).anyMatch(above -> isIn(above, one)));
    }

    @Test
    void theChainOfPackagesIsTheOneThatIsChecked() throws IOException {
        String chain = ArchitectureTest.LEFT_TO_RIGHT.stream()
                .map(name -> name.replace("io.evenkeel.", "").replace("..", ""))
                .collect(Collectors.joining(" ← "));
        assertThat(Files.readString(ROOT.resolve("docs/ARCHITECTURE.md"))).contains("\n`" + chain + "`\n");
    }

    private static boolean isIn(String above, String name) {
        return (name + ".").startsWith(above + ".");
    }

    /** The packages in the second cell of each row of the table. */
    private static List<String> named() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/ARCHITECTURE.md")).stream()
                .dropWhile(line -> !line.equals("| module | package | what lives there |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .flatMap(line -> quoted(line.split("\\|", -1)[2]))
                .map(name -> name.replace(".*", ""))
                .toList();
    }

    private static Set<String> packages() throws IOException {
        return sources("main")
                .map(file -> file.toString().replaceAll(".*/src/main/java/io/evenkeel/|/[^/]*$", ""))
                .map(name -> name.replace('/', '.'))
                .collect(Collectors.toSet());
    }

    private static Stream<Path> sources(String kind) throws IOException {
        try (Stream<Path> modules = Files.walk(ROOT, 2)) {
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
