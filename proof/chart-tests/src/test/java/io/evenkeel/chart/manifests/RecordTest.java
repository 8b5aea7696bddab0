package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.model.json.Trees;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One value turns the recorder on, in a volume that is larger than what it keeps. */
class RecordTest {
    @Test
    void nothingIsRecordedUnlessItIsAskedFor() {
        assertNotRecorded(Chart.render(""));
    }

    @Test
    void whoOnlyLooksOnHasNothingToRecord() {
        assertNotRecorded(Chart.render("{observe: true, replicas: 1, record: {enabled: true}}"));
    }

    @Test
    void aReplicaRecordsInAVolumeOfItsOwn() {
        Manifests rendered = ValuesCase.RECORDED.render();

        assertThat(rendered.arguments()).contains("--record=/record", "--record-limit=4096Mi");
        assertThat(volumes(rendered)).contains(Yaml.document("{name: record, emptyDir: {sizeLimit: 6144Mi}}"));
        assertThat(Trees.objects(rendered.container(), "volumeMounts"))
                .contains(Yaml.document("{name: record, mountPath: /record}"));
    }

    private static void assertNotRecorded(Manifests rendered) {
        assertThat(rendered.arguments()).noneMatch(argument -> argument.startsWith("--record"));
        assertThat(volumes(rendered))
                .noneMatch(volume -> Trees.text(volume, "name").equals("record"));
    }

    private static List<JsonObject> volumes(Manifests rendered) {
        return Trees.objects(rendered.pod(), "volumes");
    }
}
