package io.evenkeel.cluster.shape;

import static org.assertj.core.api.Assertions.assertThat;

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
}
