package io.evenkeel.model.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class PodAdmissionTest {
    @Test
    void aLabelThatYamlTakesForANumberIsATextInTheSelector() {
        JsonObject pod = JsonParser.parseString("""
                {"metadata": {"labels": {"rev": 7}},
                 "spec": {"topologySpreadConstraints": [{"labelSelector": {}, "matchLabelKeys": ["rev", "none"]}]}}
                """).getAsJsonObject();
        PodAdmission.mergeLabelKeys(pod);
        assertThat(pod.getAsJsonObject("spec").toString())
                .contains("\"matchExpressions\":[{\"key\":\"rev\",\"operator\":\"In\",\"values\":[\"7\"]}]");
    }
}
