package io.evenkeel.cluster.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.PodBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodImagesTest {
    @ParameterizedTest
    @CsvSource({
        "web, web:latest",
        "web:1, web:1",
        "example.com/web, example.com/web:latest",
        "example.com:5000/web, example.com:5000/web:latest",
        "example.com:5000/web:1, example.com:5000/web:1",
        "web@sha256:0f, web@sha256:0f"
    })
    void anImageWithoutTagOrDigestIsTheLatest(String written, String meant) {
        PodImages images = PodImages.of(PodBuilder.pod("p")
                .initContainer(ContainerBuilder.container("i").image(written).build())
                .container(ContainerBuilder.container("c").image("other:2").build())
                .imageVolume(written)
                .build());

        assertThat(images.ofContainers()).containsExactly(meant, "other:2");
        assertThat(images.ofVolumes()).containsExactly(meant);
    }

    @ParameterizedTest
    @CsvSource({
        "web, web:latest, true",
        "example.com:5000/web, example.com:5000/web:latest, true",
        "web:1, web:1, true",
        "web:1, web:2, false",
        "web, webs:latest, false",
        "web@sha256:0f, web, false"
    })
    void thoseOfAFacetAreAnswered(String written, String kept, boolean areSame) {
        FacetTable<PodImages> facets = FacetTable.ofParts(PodShape.IMAGES);
        PodImages known =
                facets.acquire(PodImages.of(pod(kept, "init:1", "other:2"))).value();

        PodImages found = PodImages.of(pod(written, "init:1", "other:2"), facets);

        assertThat(found == known).isEqualTo(areSame);
        assertThat(found).isEqualTo(PodImages.of(pod(written, "init:1", "other:2")));
        assertThat(PodImages.of(pod("init:1", written, "other:2"), facets)).isNotEqualTo(known);
    }

    private static Pod pod(String image, String ofInit, String ofOther) {
        return PodBuilder.pod("p")
                .initContainer(ContainerBuilder.container("i").image(ofInit).build())
                .container(ContainerBuilder.container("c").image(image).build())
                .container(ContainerBuilder.container("d").image(ofOther).build())
                .build();
    }
}
