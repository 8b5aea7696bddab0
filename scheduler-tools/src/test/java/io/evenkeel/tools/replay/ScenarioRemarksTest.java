package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.kind.Kinds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an API server serves has no field that Kubernetes does not have. */
class ScenarioRemarksTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"seeds", "pod-affinity", "node-affinity", "taints", "resources", "ports", "images", "mixed"})
    void thereIsNothingToSayOfObjectsThatAServerTook(String theme) throws IOException {
        ScenarioRemarks remarks = new ScenarioRemarks();
        List<String> said = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Objects.requireNonNull(
                        ScenarioRemarksTest.class.getResourceAsStream("/conformance/" + theme + ".jsonl.gz"))),
                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                remarks.of(line, Kinds.IN_TREE, said::add);
            }
        }
        assertThat(said).isEmpty();
    }

    @Test
    void ofAKindThatIsNearlyTheNameOfOneThatIsReadIsSaidWhatWasMeant() throws IOException {
        List<String> said = new ArrayList<>();

        new ScenarioRemarks()
                .of(
                        "{\"objects\":[{\"kind\":\"Nodee\"},{\"kind\":\"Nodee\"},{\"kind\":\"Job\"}]}",
                        Kinds.IN_TREE,
                        said::add);

        assertThat(said)
                .containsExactly("objects[0].kind: objects of kind \"Nodee\" are passed over; did you mean \"Node\"?");
    }

    @Test
    void ofAKindThatIsNotOfKubernetesIsSaidThatItIsNotRead() throws IOException {
        List<String> said = new ArrayList<>();

        new ScenarioRemarks().of("""
            {"objects":[
                {"apiVersion":"quotas.example.com/v1","kind":"Quota"},
                {"apiVersion":"quotas.example.com/v1","kind":"Quota"},
                {"apiVersion":"networking.k8s.io/v1","kind":"Ingress"},
                {"apiVersion":"apps/v1","kind":"Deployment"}]}\
            """, Kinds.IN_TREE, said::add);

        assertThat(said)
                .containsExactly("objects[0].kind: objects of kind \"Quota\" of quotas.example.com are passed over;"
                        + " only kinds of Kubernetes are read, and of plugins that a profile enables");
    }

    @Test
    void ofAnObjectThatIsSomewhereElseThanItsKindIsSaidHowItIsRead() throws IOException {
        List<String> said = new ArrayList<>();

        new ScenarioRemarks().of("""
            {"objects":[
                {"apiVersion":"storage.k8s.io/v1","kind":"PersistentVolume","metadata":{"name":"disk"}},
                {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"disk","namespace":"shop"}},
                {"apiVersion":"storage.k8s.io/v1beta1","kind":"StorageClass","metadata":{"name":"fast"}},
                {"kind":"StorageClass","metadata":{"name":"slow"}},
                {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data","namespace":"shop"}}]}\
            """, Kinds.IN_TREE, said::add);

        assertThat(said)
                .containsExactly(
                        "objects[0].apiVersion: objects of kind \"PersistentVolume\" of storage.k8s.io/v1 are passed"
                                + " over; its apiVersion is v1",
                        "objects[1].metadata.namespace: a PersistentVolume lives in no namespace, and is read without",
                        "objects[2].apiVersion: storage.k8s.io/v1beta1 is read as if it were storage.k8s.io/v1");
    }
}
