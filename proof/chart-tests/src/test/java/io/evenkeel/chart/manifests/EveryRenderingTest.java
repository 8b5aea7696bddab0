package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Target;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.rotation.Rotated;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** What holds whatever the values are. */
class EveryRenderingTest {
    private static final Set<String> OF_THE_CLUSTER = Set.of(
            "APIService",
            "ClusterRole",
            "ClusterRoleBinding",
            "CustomResourceDefinition",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding");

    /** They have the names of what they serve and define. */
    private static final Set<String> ONCE_IN_A_CLUSTER = Set.of("APIService", "CustomResourceDefinition");

    @ParameterizedTest
    @EnumSource
    void hasNoValueThatIsNothing(ValuesCase values) {
        assertThat(values.render().all())
                .allSatisfy(manifest -> assertThat(everything(manifest.tree())).noneMatch(JsonElement::isJsonNull));
    }

    @Rotated(8)
    @ParameterizedTest
    @EnumSource
    void namesEachObjectOnceAndWhereItIs(ValuesCase values) {
        Manifests rendered = values.render();
        assertThat(rendered.all()).extracting(Manifest::toString).doesNotHaveDuplicates();
        for (Manifest manifest : rendered.all()) {
            assertThat(manifest.name()).as("%s", manifest).isNotEmpty();
            assertThat(manifest.namespace().isEmpty())
                    .as("%s is the cluster's own", manifest)
                    .isEqualTo(OF_THE_CLUSTER.contains(manifest.kind()));
        }
    }

    @Rotated(8)
    @ParameterizedTest
    @EnumSource
    void sharesNothingWithTheSameReleaseInAnotherNamespace(ValuesCase values) {
        assertThat(names(values.render(Target.USUAL.in("team"))))
                .isNotEmpty()
                .doesNotContainAnyElementsOf(names(values.render(Target.USUAL.in("other-team"))));
    }

    /** Namespace and name make the same text of both, were it not for what is between them. */
    @Rotated(8)
    @ParameterizedTest
    @EnumSource
    void sharesNothingWithAReleaseWhoseNamespaceAndNameReadAlike(ValuesCase values) {
        Target one = Target.USUAL.in("team").named("x-evenkeel");
        Target other = Target.USUAL.in("team-x").named("evenkeel");
        assertThat(names(values.render(one))).doesNotContainAnyElementsOf(names(values.render(other)));
    }

    private static List<String> names(Manifests rendered) {
        return rendered.all().stream()
                .filter(manifest -> !ONCE_IN_A_CLUSTER.contains(manifest.kind()))
                .map(Manifest::toString)
                .toList();
    }

    @Rotated(8)
    @ParameterizedTest
    @EnumSource
    void labelsEachObjectAsTheReleases(ValuesCase values) {
        Manifests rendered = values.render();
        assertThat(rendered.all())
                .allSatisfy(manifest -> assertThat(manifest.labels())
                        .containsAllEntriesOf(rendered.deployment().strings("spec", "selector", "matchLabels"))
                        .containsEntry("app.kubernetes.io/instance", "evenkeel")
                        .containsEntry("app.kubernetes.io/managed-by", "Helm")
                        .containsKeys("helm.sh/chart", "app.kubernetes.io/version"));
    }

    @ParameterizedTest
    @EnumSource
    void selectsWhatThereIs(ValuesCase values) {
        References.check(values.render());
    }

    @ParameterizedTest
    @EnumSource
    void runsAsThePodSecurityStandardRestrictedAllows(ValuesCase values) {
        PodSecurity.checkRestricted(values.render().pod());
    }

    @ParameterizedTest
    @EnumSource
    void configuresTheScheduler(ValuesCase values) {
        String configuration = values.render().configuration();
        assertThat(new ConfigurationReader().read("config.yaml", configuration).profiles())
                .isNotEmpty()
                .noneMatch(profile -> profile.schedulerName().equals("default-scheduler"));
    }

    @ParameterizedTest
    @EnumSource
    void startsTheSchedulerWithFlagsThatItHas(ValuesCase values) {
        CommandLine.ParseResult parsed =
                Evenkeel.commandLine().parseArgs(values.render().arguments().toArray(String[]::new));
        assertThat(parsed.subcommand().commandSpec().name())
                .isEqualTo(values == ValuesCase.OBSERVING ? "observe" : "run");
    }

    /** The test of the test: that flags are looked at. */
    @Test
    void aFlagThatThereIsNotIsNoticed() {
        assertThat(CommandLine.UnmatchedArgumentException.class).isAssignableFrom(mistakeOf("run", "--no-such-flag=1"));
    }

    private static Class<?> mistakeOf(String... arguments) {
        try {
            Evenkeel.commandLine().parseArgs(arguments);
            return Void.class;
        } catch (CommandLine.ParameterException mistake) {
            return mistake.getClass();
        }
    }

    private static Stream<JsonElement> everything(JsonElement tree) {
        if (tree.isJsonObject()) {
            return tree.getAsJsonObject().asMap().values().stream().flatMap(EveryRenderingTest::everything);
        }
        return tree.isJsonArray()
                ? tree.getAsJsonArray().asList().stream().flatMap(EveryRenderingTest::everything)
                : Stream.of(tree);
    }
}
