package io.evenkeel.config;

import static io.evenkeel.config.ExtensionPoint.BIND;
import static io.evenkeel.config.ExtensionPoint.FILTER;
import static io.evenkeel.config.ExtensionPoint.MULTI_POINT;
import static io.evenkeel.config.ExtensionPoint.PRE_FILTER;
import static io.evenkeel.config.ExtensionPoint.QUEUE_SORT;
import static io.evenkeel.config.ExtensionPoint.SCORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.problem.ConfigurationException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Sets are drawn as {@code "A B=3 -C"}: A is enabled, B with weight 3, and C is disabled. */
class PluginExpansionTest {
    private final Map<String, Set<ExtensionPoint>> known = new HashMap<>();

    PluginExpansionTest() {
        DefaultPlugins.MULTI_POINT.forEach(plugin -> known.put(plugin.name(), Set.of()));
        known.put("PrioritySort", Set.of(QUEUE_SORT));
        known.put("DefaultBinder", Set.of(BIND));
        known.put("TaintToleration", Set.of(FILTER, SCORE));
        known.put("NodeAffinity", Set.of(FILTER, SCORE));
        known.put("NodeName", Set.of(FILTER));
        known.put("ImageLocality", Set.of(SCORE));
        known.put("DynamicResources", Set.of(PRE_FILTER, FILTER, SCORE));
        known.put("X", Set.of(FILTER, SCORE));
        known.put("Y", Set.of(FILTER, SCORE));
    }

    @Test
    void defaultPluginsRunWhereTheyWorkInTheirOrder() {
        Plugins none = Plugins.NONE;

        assertThat(at(FILTER, none)).containsExactly("NodeName", "TaintToleration", "NodeAffinity", "DynamicResources");
        assertThat(at(SCORE, none))
                .containsExactly("TaintToleration=3", "NodeAffinity=2", "DynamicResources=2", "ImageLocality=1");
        assertThat(at(QUEUE_SORT, none)).containsExactly("PrioritySort");
        assertThat(at(PRE_FILTER, none)).containsExactly("DynamicResources");
    }

    @Test
    void everySpecificPointHasAnEntry() {
        assertThat(PluginExpansion.expand(Plugins.NONE, known).keySet())
                .containsExactlyElementsOf(ExtensionPoint.specific());
    }

    @Test
    void aDefaultPluginEnabledAnewAtMultiPointKeepsItsPlace() {
        assertThat(at(SCORE, multiPoint("X=4 NodeAffinity=9")))
                .containsExactly("TaintToleration=3", "NodeAffinity=9", "DynamicResources=2", "ImageLocality=1", "X=4");
    }

    @Test
    void aDisabledDefaultPluginRunsNowhere() {
        assertThat(at(FILTER, multiPoint("-NodeAffinity -NodeName")))
                .containsExactly("TaintToleration", "DynamicResources");
    }

    @Test
    void aDefaultPluginDisabledAndEnabledMovesToTheEnd() {
        assertThat(at(FILTER, multiPoint("NodeName X -NodeName")))
                .containsExactly("TaintToleration", "NodeAffinity", "DynamicResources", "NodeName", "X");
    }

    @Test
    void aStarAtMultiPointLeavesOnlyWhatTheUserEnables() {
        assertThat(at(FILTER, multiPoint("PrioritySort DefaultBinder Y NodeAffinity -*")))
                .containsExactly("Y", "NodeAffinity");
    }

    @Test
    void pluginsOfThePointThatOverrideMultiPointComeFirstAndNewOnesLast() {
        Plugins plugins = Plugins.NONE.with(SCORE, set("X=7 ImageLocality=5 Y NodeAffinity"));

        assertThat(at(SCORE, plugins))
                .containsExactly(
                        "ImageLocality=5", "NodeAffinity=1", "TaintToleration=3", "DynamicResources=2", "X=7", "Y=1");
    }

    @Test
    void disablingAtAPointKeepsAPluginOutOnlyThere() {
        Plugins plugins = Plugins.NONE.with(FILTER, set("-NodeAffinity"));

        assertThat(at(FILTER, plugins)).containsExactly("NodeName", "TaintToleration", "DynamicResources");
        assertThat(at(SCORE, plugins)).contains("NodeAffinity=2");
    }

    @Test
    void aPluginDisabledAndEnabledAtAPointRunsAfterTheMultiPointOnes() {
        Plugins plugins = Plugins.NONE.with(FILTER, set("NodeName -NodeName"));

        assertThat(at(FILTER, plugins))
                .containsExactly("TaintToleration", "NodeAffinity", "DynamicResources", "NodeName");
    }

    @Test
    void aStarAtAPointLeavesOnlyWhatThePointEnables() {
        Plugins plugins = Plugins.NONE.with(FILTER, set("X NodeName -*"));

        assertThat(at(FILTER, plugins)).containsExactly("X", "NodeName");
    }

    @Test
    void completingTwiceChangesNothing() {
        Plugins once = DefaultPlugins.completed(multiPoint("X=4 NodeAffinity=9 NodeName -NodeName -ImageLocality"));

        assertThat(DefaultPlugins.completed(once)).isEqualTo(once);
    }

    @Test
    void aPluginThatDoesNotExistIsNamed() {
        assertRefused(
                multiPoint("NodeAfinity"),
                "plugins.multiPoint.enabled[NodeAfinity].name: there is no plugin \"NodeAfinity\"; did you mean"
                        + " \"NodeAffinity\"?");
        assertRefused(
                Plugins.NONE.with(FILTER, set("Nonsense")),
                "plugins.filter.enabled[Nonsense].name: there is no plugin \"Nonsense\"; there are DynamicResources,"
                        + " NodeAffinity, NodeName, TaintToleration, X, Y");
    }

    @Test
    void whatIsSuggestedWorksAtThePoint() {
        assertRefused(
                Plugins.NONE.with(FILTER, set("ImageLocalit")),
                "plugins.filter.enabled[ImageLocalit].name: there is no plugin \"ImageLocalit\"; there are"
                        + " DynamicResources, NodeAffinity, NodeName, TaintToleration, X, Y");
    }

    @Test
    void aPluginCannotBeEnabledWhereItDoesNotWork() {
        assertRefused(
                Plugins.NONE.with(FILTER, set("ImageLocality")),
                "plugins.filter.enabled[ImageLocality].name: the plugin ImageLocality does not work at this point, but"
                        + " at score");
    }

    @Test
    void aPluginCannotBeEnabledTwice() {
        assertRefused(
                Plugins.NONE.with(FILTER, set("X X")), "plugins.filter.enabled[X].name: the plugin X is enabled twice");
        assertRefused(multiPoint("X Y X"), "plugins.multiPoint.enabled[X].name: the plugin X is enabled twice");
    }

    @Test
    void exactlyOnePluginSortsTheQueueAndAtLeastOneBinds() {
        known.put("OtherSort", Set.of(QUEUE_SORT));

        assertRefused(multiPoint("OtherSort"), "plugins.queueSort: exactly one plugin must sort the queue, got 2");
        assertRefused(
                multiPoint("-*"),
                "plugins.queueSort: exactly one plugin must sort the queue, got 0",
                "plugins.bind: at least one plugin must bind pods, got none");
    }

    /** Each as kube-scheduler takes or refuses it. */
    @Test
    void aNegativeWeightIsTakenWhereTheWeightsBeforeItOutweighIt() {
        assertThat(at(SCORE, multiPoint("NodeAffinity=-2"))).contains("NodeAffinity=-2");
        assertThat(at(SCORE, Plugins.NONE.with(SCORE, set("ImageLocality=1 NodeAffinity=-1"))))
                .contains("NodeAffinity=-1");
        assertThat(at(SCORE, multiPoint("PrioritySort DefaultBinder ImageLocality=1 NodeAffinity=-5 -*")))
                .containsExactly("ImageLocality=1", "NodeAffinity=-5");
    }

    @Test
    void weightsThatAddUpToLessThanNothingAreRefused() {
        assertRefused(
                multiPoint("NodeAffinity=-4"),
                "plugins.multiPoint: total score of Score plugins could overflow: with NodeAffinity's -4 the weights"
                        + " add up to -1, and other plugins follow");
        assertRefused(
                Plugins.NONE.with(SCORE, set("NodeAffinity=-1 -*")),
                "plugins.score: total score of Score plugins could overflow: with NodeAffinity's -1 the weights add up"
                        + " to -1, and other plugins follow");
    }

    @Test
    void theGreatestWeightsOfAllPluginsAreNotTooMuch() {
        int most = Integer.MAX_VALUE;

        assertThat(at(SCORE, Plugins.NONE.with(SCORE, set("X=%1$d Y=%1$d NodeAffinity=%1$d".formatted(most)))))
                .contains("X=" + most, "Y=" + most, "NodeAffinity=" + most);
    }

    private List<String> at(ExtensionPoint point, Plugins plugins) {
        return PluginExpansion.expand(plugins, known).getOrDefault(point, List.of()).stream()
                .map(plugin -> point == SCORE ? plugin.name() + "=" + plugin.weight() : plugin.name())
                .toList();
    }

    private void assertRefused(Plugins plugins, String... errors) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> PluginExpansion.expand(plugins, known))
                .satisfies(e -> assertThat(e.errors()).containsExactly(errors));
    }

    private static Plugins multiPoint(String drawn) {
        return Plugins.NONE.with(MULTI_POINT, set(drawn));
    }

    private static PluginSet set(String drawn) {
        List<String> words = Arrays.asList(drawn.split(" "));
        return new PluginSet(
                words.stream()
                        .filter(word -> !word.startsWith("-"))
                        .map(word -> word.split("="))
                        .map(parts -> new EnabledPlugin(parts[0], parts.length == 1 ? 0 : Integer.parseInt(parts[1])))
                        .toList(),
                words.stream()
                        .filter(word -> word.startsWith("-"))
                        .map(word -> word.substring(1))
                        .toList());
    }
}
