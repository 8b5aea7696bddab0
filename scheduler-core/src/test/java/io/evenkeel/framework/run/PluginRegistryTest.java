package io.evenkeel.framework.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.Profile;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.testing.OneProfile;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class PluginRegistryTest {
    private static final PluginFactory SORT = PluginFactory.of("Sort", Sorting.class, context -> new Sorting());

    @Test
    void pluginsOfOthersRunByName() {
        ClusterView cluster = Fakes.nodes("n1", "n2");
        SchedulingProfile profile = SchedulingProfile.of(
                profileWith("Outside"),
                new PluginRegistry(List.of(SORT)).with(List.of(new OutsidePlugin.Factory())),
                cluster);

        assertThat(profile.at(ExtensionPoint.FILTER, Plugin.class))
                .extracting(Plugin::name)
                .containsExactly("Outside");
        assertThat(Fakes.names(cluster, profile.filters().run(new CycleState(), Fakes.pod())))
                .containsExactly("n2");
        assertThat(profile.at(ExtensionPoint.QUEUE_SORT, Plugin.class))
                .extracting(Plugin::name)
                .containsExactly("Sort");
    }

    @Test
    void aPluginCountsWhatItBringsUnlessAWeightIsGiven() {
        assertThat(weightOf("Outside")).isEqualTo(1);
        assertThat(weightOf("Heavy")).isEqualTo(700);
        assertThat(weightOf("Heavy, weight: 3")).isEqualTo(3);
    }

    /** Of the one plugin that scores beside none. */
    private static int weightOf(String plugin) {
        return SchedulingProfile.of(
                        profileWith(plugin),
                        new PluginRegistry(List.of(
                                SORT,
                                PluginFactory.of("Outside", Scoring.class, _ -> new Scoring()),
                                PluginFactory.of("Heavy", Scoring.class, 700, _ -> new Scoring()))),
                        Fakes.nodes())
                .scores()
                .scores()
                .getFirst()
                .weight();
    }

    @Test
    void aPluginThatThereIsNotIsRefused() {
        PluginRegistry registry = new PluginRegistry(List.of(SORT));

        assertThatThrownBy(() -> SchedulingProfile.of(profileWith("Nosuch"), registry, Fakes.nodes()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("there is no plugin \"Nosuch\"");
    }

    @Test
    void twoPluginsOfOneNameAreAMistake() {
        assertThatThrownBy(() -> new PluginRegistry(List.of(SORT, SORT)))
                .hasMessageContaining("two plugins are named Sort");
    }

    @Test
    void namesOfTheReferencesPluginsAreTakenToo() {
        PluginRegistry registry = new PluginRegistry(List.of(SORT));

        assertThat(registry.isTaken("Sort")).isTrue();
        assertThat(registry.isTaken("VolumeBinding")).isTrue();
        assertThat(registry.isTaken("Outside")).isFalse();
    }

    private static Profile profileWith(String plugin) {
        return OneProfile.only("Sort", plugin).profiles().getFirst();
    }

    private static final class Scoring implements ScorePlugin {
        @Override
        public String name() {
            return "Scoring";
        }

        @Override
        public long score(CycleState state, PendingPod pod, NodeInfo node) {
            return 0;
        }
    }

    private static final class Sorting implements QueueSortPlugin {
        @Override
        public String name() {
            return "Sort";
        }

        @Override
        public int compare(QueuedPod a, QueuedPod b) {
            return Comparator.comparingLong(QueuedPod::queuedAtNanos).compare(a, b);
        }
    }
}
