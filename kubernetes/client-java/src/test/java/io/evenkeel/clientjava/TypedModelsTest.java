package io.evenkeel.clientjava;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1StorageClass;
import java.util.List;
import org.junit.jupiter.api.Test;

class TypedModelsTest {
    /** An object of a plugin's own kind, read into what happens to be a model of client-java's. */
    private record OwnClass(ObjectMeta meta, String provisioner) implements PluginObject {
        static final Kind<OwnClass> KIND = new Kind<>(
                "StorageClass.example.com",
                "example.com",
                "v1",
                "classes",
                false,
                OwnClass.class,
                Message.ofObject(fields -> {
                    var provisioner = fields.string("provisioner", 2).from(OwnClass::provisioner);
                    return read -> new OwnClass(read.get(Metadata.FIELD), read.get(provisioner));
                }));

        @Override
        public String kindName() {
            return KIND.name();
        }
    }

    private final TypedModels models = new TypedModels(OwnClass.KIND);

    @Test
    void aNodeIsReadAsAV1Node() {
        Node node = NodeBuilder.node("n1")
                .label("topology.kubernetes.io/zone", "a")
                .allocatable("cpu", "3500m", "memory", "8Gi")
                .build();

        V1Node typed = models.as(V1Node.class, node);

        assertThat(typed.getMetadata().getName()).isEqualTo("n1");
        assertThat(typed.getMetadata().getLabels()).containsEntry("topology.kubernetes.io/zone", "a");
        assertThat(typed.getStatus().getAllocatable())
                .containsEntry("cpu", Quantity.fromString("3500m"))
                .containsEntry("memory", Quantity.fromString("8Gi"));
    }

    @Test
    void aPodSaysWhatItAsksFor() {
        Pod pod = new ObjectReader(Kinds.IN_TREE).read("""
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop", "name": "web"},
             "spec": {"priority": 7, "containers": [{"name": "c", "resources": {"requests": {"cpu": "250m"}}}],
                      "tolerations": [{"key": "gpu", "operator": "Exists"}]}}
            """) instanceof Pod read
                ? read
                : PodBuilder.pod("none").build();

        V1Pod typed = models.as(V1Pod.class, pod);

        assertThat(typed.getMetadata().getNamespace()).isEqualTo("shop");
        assertThat(typed.getSpec().getPriority()).isEqualTo(7);
        assertThat(typed.getSpec().getContainers().getFirst().getResources().getRequests())
                .containsEntry("cpu", Quantity.fromString("250m"));
        assertThat(typed.getSpec().getTolerations()).extracting("key").isEqualTo(List.of("gpu"));
    }

    @Test
    void aKindOfThePluginsOwnIsReadToo() {
        OwnClass own = new OwnClass(ObjectMeta.named("", "fast"), "disks");

        assertThat(models.as(V1StorageClass.class, own).getProvisioner()).isEqualTo("disks");
    }

    @Test
    void aModelOfAnotherKindIsRefused() {
        assertThatThrownBy(() -> models.as(V1Pod.class, NodeBuilder.node("n1").build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Node n1 is no V1Pod");
        assertThatThrownBy(() -> new TypedModels().as(V1Pod.class, new OwnClass(ObjectMeta.named("", "fast"), "disks")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("StorageClass.example.com: no kind that is read");
    }
}
