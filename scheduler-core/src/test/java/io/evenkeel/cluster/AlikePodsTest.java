package io.evenkeel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.cluster.shape.PodShapes;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Facets are looked for before they are made: what is found must be what would have been made. */
class AlikePodsTest {
    private static final int PODS = 400;

    private static List<Pod> pods(long seed) {
        Pick pick = new Pick(new SplittableRandom(seed));
        RandomObjects objects = new RandomObjects(pick, new RandomSelectors(pick), 4, 1_000);
        return Stream.generate(objects::pod).limit(PODS).toList();
    }

    private static List<Object> values(PodShape shape) {
        return Stream.of(
                        shape.resources(),
                        shape.tolerations(),
                        shape.nodeRequirement(),
                        shape.hostPorts(),
                        shape.images(),
                        shape.spread(),
                        shape.affinity())
                .<Object>map(Facet::value)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void podsThatReadAlikeAreOfOneShapeAndOthersAreNot(long seed) {
        ResourceNames names = new ResourceNames();
        PodShapes.Writer shapes = PodShapes.create(names, FeatureGates.DEFAULTS, PODS);
        Map<List<Object>, Facet<PodShape>> byValues = new HashMap<>();
        Set<Facet<PodShape>> different = new HashSet<>();
        List<Pod> built = pods(seed);
        List<Pod> builtAgain = pods(seed);
        for (int i = 0; i < PODS; i++) {
            Facet<PodShape> shape = shapes.acquire(built.get(i));
            PodShape alone = PodShapes.create(names, FeatureGates.DEFAULTS, PODS)
                    .acquire(built.get(i))
                    .value();

            assertThat(shapes.acquire(builtAgain.get(i))).isSameAs(shape);
            assertThat(values(shape.value())).as("of %s", built.get(i)).isEqualTo(values(alone));
            assertThat(byValues.computeIfAbsent(values(alone), _ -> shape)).isSameAs(shape);
            different.add(shape);
        }
        assertThat(different).hasSizeGreaterThan(1).hasSizeLessThan(PODS);
    }
}
