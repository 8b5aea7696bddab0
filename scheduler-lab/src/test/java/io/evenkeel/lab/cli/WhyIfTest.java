package io.evenkeel.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.tools.why.Supposition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is supposed on the command line, of a cluster where each form has something to change. */
@Rotated(3)
class WhyIfTest {
    private static final Pattern OPTIONAL = Pattern.compile("\\[([^]]*)]");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\b[A-Z]+\\b");
    private static final Map<String, String> WORDS = Map.of(
            "NODE", "n1",
            "ZONE", "z",
            "KEY", "rack",
            "VALUE", "x",
            "EFFECT", "NoSchedule",
            "N", "2",
            "RESOURCE", "cpu",
            "NAMESPACE", "default",
            "NAME", "there");

    private final HollowCluster cluster = HollowCluster.start();

    @TempDir
    private Path folder;

    private Path kubeconfig = Path.of("");

    @BeforeEach
    void fill() throws IOException {
        kubeconfig = cluster.writeKubeconfig(folder.resolve("kubeconfig"));
        cluster.objects().create("""
                {"kind":"Node","apiVersion":"v1","metadata":{"name":"n1","labels":{"rack":"x"}},
                 "spec":{"unschedulable":true,"taints":[{"key":"rack","value":"x","effect":"NoSchedule"}]},
                 "status":{"allocatable":{"cpu":"8","memory":"8Gi","pods":"10"}}}
                """);
        cluster.objects().create("""
                {"kind":"Node","apiVersion":"v1","metadata":{"name":"n2","labels":{"rack":"y"}},
                 "status":{"allocatable":{"cpu":"8","memory":"8Gi","pods":"10"}}}
                """);
        pod("there", "");
        cluster.objects().bind("default", "there", "n1");
        pod(
                "asked",
                "\"topologySpreadConstraints\":[{\"maxSkew\":1,\"topologyKey\":\"rack\","
                        + "\"whenUnsatisfiable\":\"DoNotSchedule\",\"labelSelector\":{\"matchLabels\":{\"app\":\"web\"}}}],");
    }

    private void pod(String name, String more) {
        cluster.objects().create("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"default","labels":{"app":"web"}},
                 "spec":{%s"containers":[{"name":"main","image":"example.com/main:1",
                  "resources":{"requests":{"cpu":"3"}}}]}}
                """.formatted(name, more));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Typed asked(List<String> suppositions) {
        List<String> all = new ArrayList<>(List.of("why", "asked", "--kubeconfig", kubeconfig.toString()));
        suppositions.forEach(each -> all.addAll(List.of("--if", each)));
        return Typed.evenkeel(all.toArray(String[]::new));
    }

    /** Each form with each of its optional parts, and without. */
    static Stream<String> forms() {
        return Supposition.forms().stream()
                .flatMap(WhyIfTest::withAndWithout)
                .map(form -> PLACEHOLDER.matcher(form).replaceAll(WhyIfTest::word));
    }

    private static Stream<String> withAndWithout(String form) {
        Matcher optional = OPTIONAL.matcher(form);
        if (!optional.find()) {
            return Stream.of(form);
        }
        return Stream.concat(Stream.of(""), Stream.of(optional.group(1).split(" \\| ", -1)))
                .map(choice -> form.substring(0, optional.start()) + choice + form.substring(optional.end()))
                .flatMap(WhyIfTest::withAndWithout);
    }

    private static String word(MatchResult placeholder) {
        return WORDS.getOrDefault(placeholder.group(), placeholder.group());
    }

    @Rotated(7)
    @ParameterizedTest
    @MethodSource("forms")
    void everyFormIsAnswered(String supposed) {
        Typed typed = asked(List.of(supposed));

        assertThat(typed.err()).isEmpty();
        assertThat(typed.exitCode()).isZero();
        assertThat(typed.out()).contains("(supposed: ");
    }

    /** The same of what is not there, or is so already. */
    static Stream<String> formsInVain() {
        return forms().map(
                        form -> form.replaceAll("\\b(n1|rack|there)\\b", "nope").replace("=2", "=1"))
                .filter(form -> form.matches(".*(nope|=1).*"));
    }

    @ParameterizedTest
    @MethodSource("formsInVain")
    void whatIsNotThereIsNamedInALine(String supposed) {
        Typed typed = asked(List.of(supposed));

        assertThat(typed.err()).startsWith("evenkeel: --if: ").hasLineCount(1);
        assertThat(typed.out()).isEmpty();
        assertThat(typed.exitCode()).isEqualTo(1);
    }

    @Test
    void everyFormIsDocumented() throws IOException {
        String table = Files.readString(Path.of("../docs/why.md")).replace("\\|", "|");

        assertThat(Supposition.forms())
                .allSatisfy(form -> assertThat(table).contains("`" + form.replace(" [over KEY]", "") + "`"));
    }
}
