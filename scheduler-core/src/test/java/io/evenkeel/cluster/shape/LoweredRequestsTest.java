package io.evenkeel.cluster.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Container;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LoweredRequestsTest {
    /** That of the class's own drawing. */
    private static final Pod DRAWN = PodBuilder.pod("drawn")
            .container("cpu", "1500m")
            .container("cpu", "700m")
            .initContainer("cpu", "1800m")
            .build();

    private static List<String> cpu(Pod pod) {
        List<String> amounts = new ArrayList<>();
        for (List<Container> containers :
                List.of(pod.spec().containers(), pod.spec().initContainers())) {
            containers.forEach(container -> amounts.add(
                    container.requests().getOrDefault("cpu", Quantity.ZERO).toString()));
        }
        return amounts;
    }

    private static List<String> cpu(Pod pod, long milli) {
        return LoweredRequests.to(pod, "cpu", milli)
                .map(LoweredRequestsTest::cpu)
                .orElse(List.of());
    }

    @Test
    void whoAsksForMostGivesFirstAndInitContainersForThemselves() {
        assertThat(cpu(DRAWN, 2_000)).containsExactly("1300m", "700m", "1800m");
        assertThat(cpu(DRAWN, 1_000)).containsExactly("300m", "700m", "1");
        assertThat(cpu(DRAWN, 700)).containsExactly("1m", "699m", "700m");
        assertThat(cpu(DRAWN, 2_200)).isEqualTo(cpu(DRAWN));
        assertThat(cpu(DRAWN, 2)).containsExactly("1m", "1m", "2m");
        assertThat(cpu(DRAWN, 1)).as("nothing would be left for one").isEmpty();
    }

    @Test
    void overheadStays() {
        Pod pod = PodBuilder.pod("p")
                .container("cpu", "2")
                .overhead(Map.of("cpu", Quantity.ofMilli(250)))
                .build();

        assertThat(cpu(pod, 2_000)).containsExactly("1750m");
        assertThat(cpu(pod, 250)).isEmpty();
    }

    @Test
    void whatThePodAsksForAsAWholeIsLoweredThereAsLongAsItsContainersFitIn() {
        Pod pod = PodBuilder.pod("p")
                .container("cpu", "1")
                .podRequests("cpu", "3")
                .build();

        Optional<Pod> lowered = LoweredRequests.to(pod, "cpu", 1_000);
        assertThat(lowered.orElseThrow().spec().podRequests()).contains(Map.of("cpu", Quantity.of(1)));
        assertThat(cpu(lowered.orElseThrow())).containsExactly("1");
        assertThat(LoweredRequests.to(pod, "cpu", 999)).isEmpty();
    }

    /** An API server wants them to be the same. */
    @Test
    void limitsOfExtendedResourcesGoWithThem() {
        Pod pod = PodBuilder.pod("p")
                .container(ContainerBuilder.container("c")
                        .requests("x.io/gpu", "4", "cpu", "2")
                        .limits("x.io/gpu", "4", "cpu", "2")
                        .build())
                .build();

        assertThat(LoweredRequests.to(pod, "x.io/gpu", 3)
                        .orElseThrow()
                        .spec()
                        .containers()
                        .getFirst()
                        .limits())
                .isEqualTo(Map.of("x.io/gpu", Quantity.of(3), "cpu", Quantity.of(2)));
        assertThat(LoweredRequests.to(pod, "cpu", 1_000)
                        .orElseThrow()
                        .spec()
                        .containers()
                        .getFirst()
                        .limits())
                .containsEntry("cpu", Quantity.of(2));
    }

    /** Of whatever containers: the pod asks for just so much, no container for more than before, and each for some still. */
    @Test
    void thePodAsksForWhatItIsToAskFor() {
        Random random = new Random(5);
        int lowered = 0;
        for (int i = 0; i < 20_000; i++) {
            Pod pod = any(random);
            long asked = LoweredRequests.asked(pod, "cpu");
            long amount = 1L + random.nextInt((int) Math.max(1, asked));
            Optional<Pod> after = LoweredRequests.to(pod, "cpu", amount);
            if (after.isPresent()) {
                assertThat(LoweredRequests.asked(after.get(), "cpu")).isEqualTo(amount);
                requireNoneHasMore(pod.spec().containers(), after.get().spec().containers());
                requireNoneHasMore(
                        pod.spec().initContainers(), after.get().spec().initContainers());
                assertThat(LoweredRequests.to(pod, "cpu", asked - (asked - amount) / 2))
                        .as("what can be lowered can be lowered by less")
                        .isPresent();
                lowered++;
            }
        }
        assertThat(lowered).isGreaterThan(10_000);
    }

    private static void requireNoneHasMore(List<Container> before, List<Container> after) {
        for (int i = 0; i < before.size(); i++) {
            Quantity was = before.get(i).requests().getOrDefault("cpu", Quantity.ZERO);
            Quantity is = after.get(i).requests().getOrDefault("cpu", Quantity.ZERO);
            assertThat(is).isLessThanOrEqualTo(was);
            assertThat(is.signum()).isEqualTo(was.signum());
        }
    }

    private static Pod any(Random random) {
        PodBuilder pod = PodBuilder.pod("p");
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            pod.container("cpu", amount(random));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            if (random.nextBoolean()) {
                pod.sidecar("cpu", amount(random));
            } else {
                pod.initContainer("cpu", amount(random));
            }
        }
        return random.nextInt(4) == 0
                ? pod.overhead(Map.of("cpu", Quantity.ofMilli(random.nextInt(100))))
                        .build()
                : pod.build();
    }

    private static String amount(Random random) {
        return random.nextInt(8) == 0 ? random.nextInt(3_000) + "00u" : random.nextInt(2_000) + "m";
    }
}
