package io.evenkeel.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime.TypeMeta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Scheduling;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtobufReaderTest {
    private static final Map<String, Descriptor> TYPES = Map.of(
            "Pod", V1.Pod.getDescriptor(),
            "Node", V1.Node.getDescriptor(),
            "Namespace", V1.Namespace.getDescriptor(),
            "Service", V1.Service.getDescriptor(),
            "ReplicationController", V1.ReplicationController.getDescriptor(),
            "ReplicaSet", V1Apps.ReplicaSet.getDescriptor(),
            "StatefulSet", V1Apps.StatefulSet.getDescriptor(),
            "PriorityClass", V1Scheduling.PriorityClass.getDescriptor());

    private final ObjectReader json = new ObjectReader();
    private final ProtobufReader protobuf = new ProtobufReader();

    @ParameterizedTest
    @CsvSource({
        "Pod, v1, 600",
        "Node, v1, 600",
        "Namespace, v1, 100",
        "Service, v1, 200",
        "ReplicationController, v1, 60",
        "ReplicaSet, apps/v1, 60",
        "StatefulSet, apps/v1, 60",
        "PriorityClass, scheduling.k8s.io/v1, 200"
    })
    void anObjectReadsTheSameInBothEncodings(String kind, String apiVersion, int count) {
        for (int seed = 0; seed < count; seed++) {
            RandomObject.Both object = new RandomObject(new SplittableRandom(seed)).make(TYPES.get(kind), 0);
            KubernetesObject expected = json.read(toJson(kind, apiVersion, object));
            WireObject wire = wire(kind, apiVersion, object.message().toByteArray());

            // the second time from what was kept of the first
            assertThat(protobuf.read(wire)).as("seed %d", seed).isEqualTo(expected);
            assertThat(protobuf.read(wire)).as("seed %d", seed).isEqualTo(expected);
            assertThat(protobuf.readIdentity(wire).meta()).isEqualTo(expected.meta());
        }
    }

    /** Ten thousand of them cost one spec. */
    @Test
    void podsOfAStatefulSetWhoseClaimsDifferShareTheirSpec() {
        PodSpec first = claiming("data-db-0", "kube-api-access-x7");
        PodSpec second = claiming("data-db-1", "kube-api-access-9z");

        assertThat(second).isSameAs(first);
        assertThat(first.volumes()).containsExactly(new PodVolume("data", PodVolume.Source.PERSISTENT_VOLUME_CLAIM));
    }

    private PodSpec claiming(String claim, String token) {
        V1.Pod pod = V1.Pod.newBuilder()
                .setMetadata(Meta.ObjectMeta.newBuilder().setName("db"))
                .setSpec(V1.PodSpec.newBuilder()
                        .addVolumes(V1.Volume.newBuilder()
                                .setName("data")
                                .setVolumeSource(V1.VolumeSource.newBuilder()
                                        .setPersistentVolumeClaim(V1.PersistentVolumeClaimVolumeSource.newBuilder()
                                                .setClaimName(claim))))
                        .addVolumes(V1.Volume.newBuilder()
                                .setName(token)
                                .setVolumeSource(V1.VolumeSource.newBuilder()
                                        .setProjected(V1.ProjectedVolumeSource.getDefaultInstance()))))
                .build();
        return ((Pod) protobuf.read(wire("Pod", "v1", pod.toByteArray()))).spec();
    }

    @ParameterizedTest
    @CsvSource({"Pod, v1", "Node, v1", "ReplicaSet, apps/v1", "PriorityClass, scheduling.k8s.io/v1"})
    void whateverTheBytesAreItReadsAnObjectOrSaysWhyNot(String kind, String apiVersion) {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 3000; round++) {
            byte[] bytes = new RandomObject(new SplittableRandom(round % 50))
                    .make(TYPES.get(kind), 0)
                    .message()
                    .toByteArray();
            for (int i = random.nextInt(6); i >= 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            WireObject wire = wire(kind, apiVersion, bytes);
            try {
                assertThat(protobuf.read(wire)).isNotNull();
            } catch (ObjectReadException expected) {
                assertThat(expected.getMessage()).isNotBlank();
            }
        }
    }

    private static String toJson(String kind, String apiVersion, RandomObject.Both object) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", kind);
        fields.put("apiVersion", apiVersion);
        fields.putAll(object.json());
        return RandomObject.toJson(fields);
    }

    private static WireObject wire(String kind, String apiVersion, byte[] fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {'k', '8', 's', 0});
        out.writeBytes(Unknown.newBuilder()
                .setTypeMeta(TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
                .setRaw(ByteString.copyFrom(fields))
                .build()
                .toByteArray());
        byte[] bytes = out.toByteArray();
        return WireObject.of(bytes, 0, bytes.length);
    }
}
