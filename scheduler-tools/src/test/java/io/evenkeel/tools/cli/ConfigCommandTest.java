package io.evenkeel.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.NameForm;
import io.evenkeel.tools.cli.ConfigCommand.OpenNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigCommandTest {
    private static final String POOL = "example.com/pool";

    @TempDir
    private Path folder;

    private Path file(String name, String scheduler, String terms) throws IOException {
        return Files.writeString(
                folder.resolve(name),
                """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                leaderElection: {resourceName: %s}
                profiles:
                - schedulerName: %s
                """.formatted(name.replace(".yaml", ""), scheduler) + (terms.isEmpty() ? "" : """
                  pluginConfig:
                  - name: NodeAffinity
                    args:
                      addedAffinity:
                        requiredDuringSchedulingIgnoredDuringExecution:
                          nodeSelectorTerms: %s
                """.formatted(terms)));
    }

    private static String in(String value) {
        return "[{matchExpressions: [{key: " + POOL + ", operator: In, values: [" + value + "]}]}]";
    }

    private Typed checked(Path... files) {
        return Typed.evenkeel(
                Stream.concat(Stream.of("config", "check"), Stream.of(files).map(Path::toString))
                        .toArray(String[]::new));
    }

    @Test
    void poolsOfDifferentValuesHaveNoNodeInCommon() throws IOException {
        Path a = file("a.yaml", "evenkeel-a", in("a"));
        Path b = file("b.yaml", "evenkeel-b", in("b"));

        Typed typed = checked(a, b);

        assertThat(typed.err()).isEmpty();
        assertThat(typed.exitCode()).isZero();
        assertThat(typed.out().lines())
                .containsExactly(
                        a + ": evenkeel-a places pods on nodes with example.com/pool In (a)",
                        b + ": evenkeel-b places pods on nodes with example.com/pool In (b)",
                        "no node is open to two of them");
    }

    @Test
    void whatTwoPoolsMayHaveInCommonIsNamed() throws IOException {
        Path a = file("a.yaml", "evenkeel-a", in("a, c"));
        Path b = file("b.yaml", "evenkeel-b", in("b, c"));
        Path all = file("all.yaml", "evenkeel", "");

        Typed typed = checked(a, b, all);

        assertThat(typed.exitCode()).isEqualTo(1);
        assertThat(typed.out())
                .contains(all + ": evenkeel places pods on all nodes")
                .doesNotContain("no node");
        assertThat(typed.err().lines())
                .containsExactly(
                        "evenkeel: evenkeel-a (" + a + ") and evenkeel-b (" + b
                                + ") may both place pods on one node, such as one with example.com/pool=c",
                        "evenkeel: evenkeel-a (" + a + ") and evenkeel (" + all
                                + ") may both place pods on one node, such as one with example.com/pool=a",
                        "evenkeel: evenkeel-b (" + b + ") and evenkeel (" + all
                                + ") may both place pods on one node, such as one with example.com/pool=b");
    }

    @Test
    void whatNodeAffinityIsNotAskedAboutIsNoPool() throws IOException {
        Path a = file("a.yaml", "evenkeel-a", in("a"));
        Path b = file("b.yaml", "evenkeel-b", in("b"));
        Files.writeString(b, Files.readString(b) + "  plugins: {filter: {disabled: [{name: NodeAffinity}]}}\n");

        assertThat(checked(a, b).err())
                .isEqualTo("evenkeel: evenkeel-a (" + a + ") and evenkeel-b (" + b
                        + ") may both place pods on one node, such as one with example.com/pool=a\n");
    }

    @Test
    void onePodIsOfOneSchedulerAndALeaseToo() throws IOException {
        Path a = file("a.yaml", "evenkeel-a", in("a"));
        Path b = file("b.yaml", "evenkeel-a", in("b"));
        Files.writeString(b, Files.readString(b).replace("resourceName: b", "resourceName: a"));

        Typed typed = checked(a, b);

        assertThat(typed.exitCode()).isEqualTo(1);
        assertThat(typed.err().lines())
                .containsExactly(
                        "evenkeel: " + a + " and " + b
                                + " name the same Lease, so only one of them places pods: leaderElection.resourceName a",
                        "evenkeel: evenkeel-a is in " + a + " and in " + b + ": each of them places its pods");
    }

    @Test
    void profilesOfOneFileAreOfOneSchedulerAndMayShare() throws IOException {
        Path a = file("a.yaml", "evenkeel-a", "");
        Files.writeString(a, Files.readString(a) + "- schedulerName: evenkeel-b\n");

        Typed typed = checked(a);

        assertThat(typed.exitCode()).isZero();
        assertThat(typed.out().lines())
                .containsExactly(
                        a + ": evenkeel-a places pods on all nodes", a + ": evenkeel-b places pods on all nodes");
    }

    @Test
    void whatCannotBeReadIsALineAsOfRun() throws IOException {
        Path a = file("a.yaml", "evenkeel-a", "[{matchExpressions: [{key: x, operator: Is}]}]");

        Typed typed = checked(a);

        assertThat(typed.exitCode()).isEqualTo(1);
        assertThat(typed.err())
                .isEqualTo(Typed.evenkeel("run", "--config", a.toString()).err());
        assertThat(Typed.evenkeel("config", "check").exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}] | [{matchFields: [{key: metadata.name,"
                        + " operator: NotIn, values: [n2]}]}] | , such as one named n1",
                "[{matchExpressions: [{key: old, operator: DoesNotExist}]}] | [{matchExpressions: [{key: old, operator: NotIn,"
                        + " values: [x]}]}] | ''",
                "[{matchExpressions: [{key: cpus, operator: Gt, values: ['7']}]}] | [{matchExpressions: [{key: cpus, operator: Lt,"
                        + " values: ['9']}, {key: disk, operator: Exists}]}] | , such as one with cpus=8,disk=other",
            })
    void theNodeIsAsSaid(String one, String other, String such) throws IOException {
        assertThat(checked(file("a.yaml", "a", one), file("b.yaml", "b", other)).err())
                .endsWith(" may both place pods on one node" + such + "\n");
    }

    /** The last of them is in no requirement. */
    private static final List<String> VALUES = List.of("", "0", "1", "2", "3", "4", "01", "02", "002", "x", "y", "z");

    private static final List<String> NAMES = List.of("n1", "n2", "n3");

    /** Of all nodes that differ in what is drawn. */
    private static final List<Map<String, String>> LABELS = labels();

    private static List<Map<String, String>> labels() {
        List<Map<String, String>> all = new ArrayList<>();
        for (int a = -1; a < VALUES.size(); a++) {
            for (int b = -1; b < VALUES.size(); b++) {
                Map<String, String> labels = new TreeMap<>();
                if (a >= 0) {
                    labels.put("a", VALUES.get(a));
                }
                if (b >= 0) {
                    labels.put("b", VALUES.get(b));
                }
                all.add(labels);
            }
        }
        return all;
    }

    private static NodeSelector drawn(SplittableRandom random) {
        return new NodeSelector(IntStream.range(0, random.nextInt(3) + (random.nextInt(8) > 0 ? 1 : 0))
                .mapToObj(_ -> new NodeSelectorTerm(
                        IntStream.range(0, random.nextInt(4))
                                .mapToObj(_ -> requirement(random))
                                .toList(),
                        IntStream.range(0, random.nextInt(6) / 4)
                                .mapToObj(_ -> new NodeSelectorRequirement(
                                        random.nextInt(9) > 0 ? NodeSelectorTerm.NAME_FIELD : "metadata.other",
                                        random.nextBoolean() ? Operator.IN : Operator.NOT_IN,
                                        List.of(NAMES.get(random.nextInt(2)))))
                                .toList()))
                .toList());
    }

    private static NodeSelectorRequirement requirement(SplittableRandom random) {
        Operator operator = Operator.values()[random.nextInt(6)];
        List<String> values = switch (operator) {
            case IN, NOT_IN ->
                IntStream.range(0, 1 + random.nextInt(3))
                        .mapToObj(_ -> VALUES.get(random.nextInt(VALUES.size() - 1)))
                        .distinct()
                        .toList();
            case EXISTS, DOES_NOT_EXIST -> List.of();
            case GT, LT -> List.of(Integer.toString(random.nextInt(5)));
        };
        return new NodeSelectorRequirement(random.nextBoolean() ? "a" : "b", operator, values);
    }

    @Test
    void aNodeIsNamedExactlyWhereThereCanBeOne() {
        SplittableRandom random = new SplittableRandom(46);
        int found = 0;
        int none = 0;
        for (int i = 0; i < 20_000; i++) {
            NodeSelector one = drawn(random);
            NodeSelector other = drawn(random);
            Optional<OpenNode> open = OpenNode.of(Optional.of(one), Optional.of(other));
            if (open.isPresent()) {
                found++;
                Labels labels = Labels.of(open.get().labels());
                assertThat(open.get().labels().values())
                        .as("%s, %s", one, other)
                        .allMatch(NameForm::isLabelValue);
                assertThat(one.matches(labels, open.get().name())
                                && other.matches(labels, open.get().name()))
                        .as("%s of %s, %s", open, one, other)
                        .isTrue();
            } else {
                none++;
                assertThat(LABELS)
                        .as("%s, %s", one, other)
                        .noneMatch(labels -> NAMES.stream()
                                .anyMatch(name -> one.matches(Labels.of(labels), name)
                                        && other.matches(Labels.of(labels), name)));
            }
        }
        assertThat(found).isGreaterThan(2_000);
        assertThat(none).isGreaterThan(2_000);
    }
}
