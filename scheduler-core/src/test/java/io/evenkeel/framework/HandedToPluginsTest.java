package io.evenkeel.framework;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.BindPlugin;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.Hint;
import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PostBindPlugin;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.PreBindPlugin;
import io.evenkeel.api.PreEnqueuePlugin;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.api.WaitingPod;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo.PodAdmission;
import io.evenkeel.cluster.ReachableTypes;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Rejections;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Of all that plugins are handed, nothing changes the cluster or what concerns other pods and other plugins. */
class HandedToPluginsTest {
    private static final List<Class<?>> CALLED = List.of(
            PluginFactory.class,
            PreEnqueuePlugin.class,
            QueueSortPlugin.class,
            PreFilterPlugin.class,
            FilterPlugin.class,
            BatchFilterPlugin.class,
            PostFilterPlugin.class,
            PreScorePlugin.class,
            ScorePlugin.class,
            BatchScorePlugin.class,
            ReservePlugin.class,
            PermitPlugin.class,
            PreBindPlugin.class,
            BindPlugin.class,
            PostBindPlugin.class,
            ClusterIndex.class,
            Hint.class);

    /** How a plugin says what it has to say, and how it gives back what it has asked for. */
    private static final Set<String> THEIRS = Set.of(
            "Changes.close",
            "CycleState.put",
            "Rejections.keepOnly",
            "Rejections.reject",
            "NodeScores.kept",
            "NodeScores.uniform",
            "ScoreClasses.add",
            "WaitingPod.allow",
            "WhatIf.close",
            "Derivations.drop",
            "DomainCounters.release",
            "FilterDryRun.count",
            "ResourceNames.release",
            "SelectorIndex.release",
            "Work.add",
            "Work.addOfOthers",
            "Work.addOnce",
            "Work.addRules",
            "Work.addSearched",
            "Work.addSets");

    /** What plugins of the tree take out of what the API says that they are handed. */
    private static final List<Class<?>> BEHIND_THE_API = List.of(TreeContext.class, Diagnosis.class, BatchTrial.class);

    private final Set<Class<?>> reachable = ReachableTypes.from(Stream.concat(
                    CALLED.stream()
                            .flatMap(ReachableTypes::publicMethods)
                            .flatMap(method -> Arrays.stream(method.getGenericParameterTypes())),
                    BEHIND_THE_API.stream())
            .toArray(Type[]::new));

    @Test
    void theWalkReachesWhatTheyAreHanded() {
        assertThat(reachable)
                .contains(ClusterView.class, CycleState.class, Rejections.class, Diagnosis.class, WaitingPod.class);
    }

    /** A what-if is there too: a trial hands it out, and takes back all that is done by it. */
    @Test
    void noWriterIsAmongIt() {
        assertThat(reachable)
                .contains(WhatIf.class)
                .doesNotContain(ClusterState.class, PodAdmission.class)
                .noneMatch(type -> type.getSimpleName().equals("Writer"));
    }

    @Test
    void methodsWithoutAnAnswerAreForPlugins() {
        Set<Class<?>> others = new HashSet<>(reachable);
        others.remove(NodeSet.class);

        assertThat(ReachableTypes.namesOfDeeds(others)).isEqualTo(THEIRS);
    }
}
