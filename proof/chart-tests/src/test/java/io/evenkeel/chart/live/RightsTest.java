package io.evenkeel.chart.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.hollow.Authorizer;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.hollow.RequestLog.LoggedRequest;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.rotation.Rotated;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rights that the chart gives are those that a scheduler at work needs: not one more, not one fewer. */
@Rotated(3)
class RightsTest {
    /** The API server has put into each pod what a PriorityClass says; claims of templates are made by a controller. */
    private static final Set<Kind<?>> READ_BY_NOTHING_YET = Set.of(Kinds.PRIORITY_CLASS, Kinds.RESOURCE_CLAIM_TEMPLATE);

    /** Rights that plugins take which are not in a default profile. */
    private static final Set<String> OF_OTHER_PLUGINS = Set.of("podgroups", "podgroups/status");

    @TempDir
    private Path folder;

    /** From a server that does not stream what there is: it is listed, and watched. */
    @ParameterizedTest
    @EnumSource
    void theChartGivesWhatTheSchedulerTakes(CompatibilityLevel level) throws Exception {
        Manifests rendered = rendered("emulatedVersion: '" + level + "'");
        Rights rights = rights(rendered);
        Set<Right> taken = new TreeSet<>(Rights.ORDER.thenComparing(Right::namespace));
        Workday.of(
                        folder,
                        rendered,
                        rights.user(),
                        Authorizer.ALLOW_AUTHENTICATED,
                        HollowOptions.DEFAULT.ofRelease(level.toString()).withoutWatchList())
                .calls()
                .stream()
                .filter(call -> !Rights.isPublic(call.attributes()))
                .forEach(call -> taken.addAll(Right.takenBy(call.attributes())));
        assertThat(rights.all())
                .filteredOn(right -> !OF_OTHER_PLUGINS.contains(right.resource()))
                .containsExactlyInAnyOrderElementsOf(taken);
    }

    /** What the default profile's plugins take nothing of, so that a workday does not show it. */
    @Test
    void groupsOfPodsMayBeReadAndWhatBecameOfThemBeSaid() {
        assertThat(rights(rendered("")).all())
                .filteredOn(right -> OF_OTHER_PLUGINS.contains(right.resource()))
                .extracting(right -> right.verb() + " " + right.resource() + " of " + right.group())
                .containsExactlyInAnyOrder(
                        "list podgroups of scheduling.k8s.io",
                        "watch podgroups of scheduling.k8s.io",
                        "patch podgroups/status of scheduling.k8s.io",
                        "list podgroups of scheduling.x-k8s.io",
                        "watch podgroups of scheduling.x-k8s.io");
    }

    /** What is watched, whichever plugins are enabled; a kind that nothing reads yet is named here, and has no rights. */
    @ParameterizedTest
    @MethodSource("rows")
    void everyKindThatAPluginMayReadCanBeWatched(Kind<?> kind) {
        Set<String> verbs = rights(rendered("")).all().stream()
                .filter(right ->
                        right.group().equals(kind.group()) && right.resource().equals(kind.plural()))
                .map(Right::verb)
                .collect(Collectors.toSet());

        if (READ_BY_NOTHING_YET.contains(kind)) {
            assertThat(verbs).isEmpty();
        } else {
            assertThat(verbs).contains("list", "watch");
        }
    }

    @Test
    void whereNobodyGoesForOthersNobodyMayBeDeleted() {
        for (String disabled : List.of(
                "multiPoint: {disabled: [{name: DefaultPreemption}]}",
                "multiPoint: {disabled: [{name: '*'}], enabled: [{name: DefaultPreemption}]}, "
                        + "postFilter: {disabled: [{name: DefaultPreemption}]}",
                "postFilter: {disabled: [{name: '*'}]}")) {
            assertThat(preempts("{schedulerName: a, plugins: {" + disabled + "}}"))
                    .as(disabled)
                    .isFalse();
            assertThat(preempts("{schedulerName: a, plugins: {" + disabled + "}}, {schedulerName: b}"))
                    .isTrue();
        }
        assertThat(preempts("{schedulerName: a, plugins: {postFilter: {disabled: [{name: '*'}], "
                        + "enabled: [{name: DefaultPreemption}]}}}"))
                .isTrue();
    }

    private static boolean preempts(String profiles) {
        Manifests with = Chart.render("config: {profiles: [" + profiles + "]}");
        List<String> extra = Rights.of("kube-system", "evenkeel", with.all()).all().stream()
                .filter(right ->
                        (right.verb().equals("delete") && right.resource().equals("pods"))
                                || right.resource().equals("poddisruptionbudgets"))
                .map(right -> right.verb() + " " + right.resource())
                .sorted()
                .toList();
        assertThat(extra)
                .isIn(List.of(), List.of("delete pods", "list poddisruptionbudgets", "watch poddisruptionbudgets"));
        return !extra.isEmpty();
    }

    static List<Kind<?>> rows() {
        return Kinds.IN_TREE.all();
    }

    /** As they are for whatever release the server is of. */
    @ParameterizedTest
    @EnumSource
    void withTheseRightsAndNoOthersTheSchedulerWorks(CompatibilityLevel level) throws Exception {
        Manifests rendered = rendered("");
        Rights rights = rights(rendered);
        List<LoggedRequest> calls = Workday.of(
                        folder, rendered, rights.user(), rights, HollowOptions.DEFAULT.ofRelease(level.toString()))
                .calls();
        assertThat(calls).isNotEmpty().noneMatch(call -> call.code() == 403);
    }

    private static Manifests rendered(String more) {
        return Chart.render(Workday.VALUES + "\npolicies: {enabled: true}\n" + more);
    }

    private static Rights rights(Manifests rendered) {
        return Rights.of("kube-system", "evenkeel", rendered.all());
    }
}
