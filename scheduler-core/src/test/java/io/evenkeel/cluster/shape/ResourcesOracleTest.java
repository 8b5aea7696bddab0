package io.evenkeel.cluster.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.Pick;
import io.evenkeel.cluster.shape.PodRequests.SpecifiedResources;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What pods ask for, beside a naive reckoning of it. */
class ResourcesOracleTest {
    private static final int PODS = 1_000;

    private final Pick pick = new Pick(new SplittableRandom(1));

    private Stream<Pod> pods() {
        return Stream.generate(() -> DrawnPods.pod(DrawnPods.numbers(pick))).limit(PODS);
    }

    @ParameterizedTest
    @EnumSource
    void aPodTakesTheMostThatItHoldsAtAnyMoment(PodRequests requests) {
        assertThat(pods())
                .allSatisfy(pod ->
                        assertThat(requests.of(pod)).as("of %s", pod).isEqualTo(NaiveResources.taken(pod, requests)));
    }

    @Test
    void whatIsSpecifiedDoesNotDependOnTheStatus() {
        assertThat(pods()).allSatisfy(pod -> {
            assertThat(SpecifiedResources.requests(pod)).isEqualTo(NaiveResources.requests(pod));
            assertThat(SpecifiedResources.limits(pod)).isEqualTo(NaiveResources.limits(pod));
        });
    }

    @ParameterizedTest
    @EnumSource
    void aPodIsScaledDownIfItTakesLessOfSomething(DrawnPods.Part changed) {
        for (int i = 0; i < PODS; i++) {
            Map<DrawnPods.Part, Integer> numbers = DrawnPods.numbers(pick);
            Pod before = DrawnPods.pod(numbers);
            numbers.merge(changed, 1, Integer::sum);
            Pod after = DrawnPods.pod(numbers);

            for (PodRequests requests : PodRequests.values()) {
                assertThat(requests.isScaledDown(before, after))
                        .as("from %s to %s", before, after)
                        .isEqualTo(NaiveResources.takesLess(before, after, requests));
            }
        }
    }

    /** The pod of one container is read on a way of its own. */
    @ParameterizedTest
    @EnumSource
    void anInitContainerThatAsksForNothingChangesNothing(PodRequests requests) {
        PodResourcesReader reader = new PodResourcesReader(new ResourceNames(), requests);
        for (int i = 0; i < PODS; i++) {
            Pod pod = DrawnPods.podOfOneContainer(DrawnPods.numbers(pick));
            Pod withInit = PodBuilder.from(pod)
                    .initContainer("cpu", "0", "memory", "0")
                    .build();

            assertThat(reader.read(pod)).as("of %s", pod).isEqualTo(reader.read(withInit));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whereAFacetHasWhatIsAskedForThatIsAnswered(PodRequests requests) {
        PodResourcesReader reader = new PodResourcesReader(new ResourceNames(), requests);
        FacetTable<PodResources> facets = FacetTable.ofParts(PodShape.RESOURCES);
        int found = 0;
        for (int i = 0; i < PODS; i++) {
            Pod pod = DrawnPods.podOfOneContainer(DrawnPods.numbers(pick));
            int before = facets.size();

            PodResources answered = facets.intern(reader.read(pod, facets)).value();

            assertThat(answered).as("of %s", pod).isEqualTo(reader.read(pod));
            found += facets.size() == before && reader.read(pod, facets) == answered ? 1 : 0;
        }
        assertThat(found).isPositive();
    }
}
