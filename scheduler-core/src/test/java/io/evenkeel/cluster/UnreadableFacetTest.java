package io.evenkeel.cluster;

import static io.evenkeel.cluster.ClusterDrawing.app;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.shape.FacetKind;
import io.evenkeel.cluster.shape.FacetTable;
import io.evenkeel.cluster.shape.PodShapes.UnreadableFacets;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A plugin's facet that throws: the pod has the kind's value for that, and nothing else is the matter. */
class UnreadableFacetTest {
    private final List<String> told = new ArrayList<>();

    private record Value(String text, boolean hashes, boolean compares) {
        static final Value NONE = new Value("none", true, true);

        @Override
        public int hashCode() {
            if (!hashes) {
                throw new IllegalStateException("no hash");
            }
            return 7;
        }

        @Override
        public boolean equals(Object other) {
            if (!compares) {
                throw new IllegalStateException("no comparison");
            }
            return other instanceof Value value && value.text.equals(text);
        }
    }

    private ClusterWriters cluster(UnreadableFacets faults) {
        return new ClusterWriters(FeatureGates.DEFAULTS, faults, ClusterLimits.USUAL);
    }

    private static Pod pod(String name) {
        return app(name, "web").nodeName("n1").build();
    }

    /** What the pods a and then b have, of a kind that is read like this. */
    private List<Value> valuesOf(Function<Pod, Value> read) {
        ClusterWriters writers =
                cluster((pod, kind, thrown) -> told.add(pod.name() + " " + kind.name() + ": " + thrown.getMessage()));
        ClusterState cluster = new ClusterState(writers);
        FacetTable<Value> table = cluster.view().shapes().register(FacetKind.of("value", Value.NONE, read));
        cluster.put(NodeBuilder.node("n1").build());
        cluster.put(pod("a"));
        cluster.put(pod("b"));
        List<Value> values = cluster.view().placedPods().stream()
                .map(pod -> cluster.view().pods().find(pod.key()))
                .map(row ->
                        cluster.view().pods().shape(row).value().facet(table).value())
                .toList();

        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        cluster.removePod("default/a");
        cluster.removePod("default/b");
        writers.shapes.dropIdle();
        assertThat(table.all()).isEmpty();
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        return values;
    }

    @Test
    void whatThrowsWhenItIsRead() {
        assertThat(valuesOf(pod -> {
                    if (pod.name().equals("a")) {
                        throw new IllegalStateException("no reading");
                    }
                    return new Value(pod.name(), true, true);
                }))
                .containsExactly(Value.NONE, new Value("b", true, true));
        assertThat(told).containsExactly("a value: no reading");
    }

    @Test
    @SuppressWarnings("NullAway") // as plugins may that are not checked
    void whatIsNull() {
        assertThat(valuesOf(_ -> null)).containsExactly(Value.NONE, Value.NONE);
        assertThat(told)
                .containsExactly("a value: the plugin has answered null", "b value: the plugin has answered null");
    }

    @Test
    void whatThrowsWhenItIsHashed() {
        assertThat(valuesOf(pod -> new Value(pod.name(), pod.name().equals("b"), true)))
                .containsExactly(Value.NONE, new Value("b", true, true));
        assertThat(told).containsExactly("a value: no hash");
    }

    /** Only where there is another of the same hash. */
    @Test
    void whatThrowsWhenItIsCompared() {
        assertThat(valuesOf(pod -> new Value(pod.name(), true, false)))
                .extracting(Value::text)
                .containsExactly("a", "none");
        assertThat(told).containsExactly("b value: no comparison");
    }

    @Test
    void whereTheJvmFailsNoFacetIsToBlame() {
        OutOfMemoryError full = new OutOfMemoryError();
        ClusterState cluster = new ClusterState(cluster((_, _, thrown) -> {
            throw (Error) thrown;
        }));
        cluster.view().shapes().register(FacetKind.of("value", Value.NONE, _ -> {
            throw full;
        }));

        assertThatThrownBy(() -> cluster.put(pod("a"))).isSameAs(full);
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }
}
