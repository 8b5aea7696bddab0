package io.evenkeel.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.evenkeel.schema.Schema.UnknownFields;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnknownFieldsTest {

    @Test
    void fieldsAreKnownByWhereTheyStand() {
        assertThat(unknown("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": {"any": "thing"},
                  "managedFields": [{"fieldsV1": {"f:spec": {}}}]},
                 "spec": {
                  "volumes": [{"name": "v", "emptyDir": {}, "hostPath": {"pth": "/"}}],
                  "containers": [{"livenessProbe": {"httpGet": {"port": 80}, "periodSeconds": 1, "periodSecond": 1}}],
                  "nodeSelector": {"labels": "x"}, "labels": {}},
                 "specs": {}}
                """))
                .containsExactly(
                        "spec.volumes[0].hostPath.pth; did you mean \"path\"?",
                        "spec.containers[0].livenessProbe.periodSecond; did you mean \"periodSeconds\"?",
                        "spec.labels",
                        "specs; did you mean \"spec\"?");
    }

    @Test
    void aKindAloneIsEnoughWhereThereIsOneOfThatName() {
        assertThat(unknown("{\"kind\": \"StatefulSet\", \"spec\": {\"replica\": 1}}"))
                .containsExactly("spec.replica; did you mean \"replicas\"?");
        assertThat(unknown("{\"spec\": {\"x\": 1}}")).containsExactly("spec.x");
    }

    @Test
    void nothingIsSaidOfKindsThatAreNotKnown() {
        assertThat(unknown("{\"apiVersion\": \"example.com/v1\", \"kind\": \"Pod\", \"spec\": {\"x\": 1}}"))
                .isEmpty();
        assertThat(unknown("{\"kind\": \"Whatever\", \"spec\": {\"x\": 1}}")).isEmpty();
    }

    private static List<String> unknown(String json) {
        return UnknownFields.in(JsonParser.parseString(json).getAsJsonObject(), "Pod").stream()
                .map(field -> field.path() + field.hint())
                .toList();
    }
}
