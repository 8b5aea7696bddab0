package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.model.json.Trees;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How out-of-tree plugins get into replicas. */
class PluginsTest {
    @Test
    void withoutThemNothingIsLoaded() {
        Manifests rendered = Chart.render("");

        assertThat(rendered.arguments()).noneMatch(argument -> argument.startsWith("--plugins"));
        assertThat(rendered.pod().has("initContainers")).isFalse();
        assertThat(volumes(rendered))
                .noneMatch(volume -> Trees.text(volume, "name").equals("plugins"));
    }

    @Test
    void imagesAreCopiedFromByTheirOwnCommandBeforeTheSchedulerStarts() {
        Manifests rendered = ValuesCase.IMAGES_OF_PLUGINS.render();

        List<JsonObject> copies = Trees.objects(rendered.pod(), "initContainers");
        assertThat(copies)
                .extracting(copy -> Trees.text(copy, "name"))
                .containsExactly("plugins-capped", "plugins-tenants");
        assertThat(copies)
                .extracting(copy -> Trees.texts(copy, "command"))
                .containsExactly(List.of("cp", "-R", "/plugins/.", "/to/"), List.of("/copy", "/to"));
        assertThat(copies)
                .allSatisfy(copy -> assertThat(Trees.objects(copy, "volumeMounts"))
                        .containsExactly(Yaml.document("{name: plugins, mountPath: /to}")));
        assertThat(volumes(rendered)).contains(Yaml.document("{name: plugins, emptyDir: {sizeLimit: 256Mi}}"));
        assertLoaded(rendered);
    }

    @Test
    void aVolumeIsTakenAsItIs() {
        Manifests rendered = ValuesCase.VOLUME_OF_PLUGINS.render();

        assertThat(rendered.pod().has("initContainers")).isFalse();
        assertThat(volumes(rendered))
                .contains(
                        Yaml.document("{name: plugins, persistentVolumeClaim: {claimName: plugins, readOnly: true}}"));
        assertLoaded(rendered);
    }

    private static void assertLoaded(Manifests rendered) {
        assertThat(rendered.arguments()).contains("--plugins=/plugins");
        assertThat(Trees.objects(rendered.container(), "volumeMounts"))
                .contains(Yaml.document("{name: plugins, mountPath: /plugins, readOnly: true}"));
    }

    private static List<JsonObject> volumes(Manifests rendered) {
        return Trees.objects(rendered.pod(), "volumes");
    }
}
