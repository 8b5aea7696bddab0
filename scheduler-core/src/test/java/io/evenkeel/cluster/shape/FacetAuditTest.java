package io.evenkeel.cluster.shape;

import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Pod;
import java.util.IdentityHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever is broken in the tables of facets, the audit has a line for it. */
class FacetAuditTest {
    private final PodShapes.Writer users = PodShapes.create(new ResourceNames(), FeatureGates.DEFAULTS, 256);
    private final PodShapes shapes = users.shapes();
    private final IdentityHashMap<Pod, Facet<PodShape>> placed = new IdentityHashMap<>();
    private final Pod small = place(pod("small").container("cpu", "1").build());
    private final Pod large = place(pod("large").container("cpu", "2").build());

    private Pod place(Pod pod) {
        placed.put(pod, users.acquire(pod));
        return pod;
    }

    private Facet<PodShape> shapeOf(Pod pod) {
        return placed.get(pod);
    }

    private Facet<PodResources> resourcesOf(Pod pod) {
        return shapeOf(pod).value().resources();
    }

    private List<String> audit() {
        Differences differences = new Differences();
        shapes.audit(placed, differences);
        return differences.lines();
    }

    @Test
    void podsThatWaitAndShapesThatLieIdleAreNoMistakes() {
        users.acquire(small);
        users.release(users.acquire(pod("gone").container("cpu", "3").build()));

        assertThat(audit()).isEmpty();
    }

    @Test
    void aPodThatHasTheShapeOfAnother() {
        placed.put(small, users.acquire(large));

        assertThat(audit())
                .singleElement()
                .asString()
                .startsWith("shape of pod default/small: kept [")
                .contains("], recounted [");
    }

    @Test
    void aShapeWithFewerUsersThanPods() {
        users.release(shapeOf(small));

        assertThat(audit()).containsExactly("shape #0 counts 0 users, has 1");
    }

    @Test
    void aFacetThatCountsOneUserTooMany() {
        resourcesOf(large).acquire();

        assertThat(audit()).containsExactly("users of resources " + resourcesOf(large) + ": kept 2, recounted 1");
    }

    @Test
    void aFacetThatIsUsedAndLiesIdle() {
        shapes.resources().idle().add(resourcesOf(large));

        assertThat(audit())
                .containsExactlyInAnyOrder(
                        "whether resources " + resourcesOf(large) + " lies idle: kept true, recounted false",
                        "idle resources facets: kept 1, recounted 0");
    }

    @Test
    void aFacetThatIsUsedAndWasDropped() {
        shapes.resources().idle().add(resourcesOf(large));
        shapes.resources().dropIdle();

        assertThat(audit()).containsExactly("resources " + resourcesOf(large) + " was dropped, but has 1 users");
    }

    @Test
    void anIdThatIsUsedAndFree() {
        shapes.shapes().freeIds().add(shapeOf(large).id());

        assertThat(audit()).containsExactly("shape id 1 is used twice");
    }

    @Test
    void anIdThatIsNeitherUsedNorFree() {
        users.release(users.acquire(pod("gone").container("cpu", "3").build()));
        users.dropIdle();
        shapes.resources().freeIds().clear();

        assertThat(audit()).containsExactly("resources ids, used and free: kept 3, recounted 2");
    }
}
