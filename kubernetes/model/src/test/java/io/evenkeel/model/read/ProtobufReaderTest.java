package io.evenkeel.model.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime.TypeMeta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import java.io.ByteArrayOutputStream;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProtobufReaderTest {
    private final ObjectReader json = new ObjectReader();
    private final ProtobufReader protobuf = new ProtobufReader();

    @ParameterizedTest
    @MethodSource("kinds")
    void anObjectReadsTheSameInBothEncodings(Kind<?> kind) {
        for (long seed : Rotation.seeds(300).toArray()) {
            RandomObject.Both object = new RandomObject(new SplittableRandom(seed)).make(Descriptors.of(kind), 0);
            KubernetesObject expected = json.read(toJson(kind, object));
            ProtobufObject encoded = encoded(kind, object.message().toByteArray());

            // the second time from what was kept of the first
            assertThat(protobuf.read(encoded)).as("seed %d", seed).isEqualTo(expected);
            assertThat(protobuf.read(encoded)).as("seed %d", seed).isEqualTo(expected);
            assertThat(protobuf.readIdentity(encoded).meta()).isEqualTo(expected.meta());
            assertThat(expected).isInstanceOf(kind.type());
        }
    }

    @Rotated(3)
    @ParameterizedTest
    @MethodSource("kinds")
    void aFaultIsTheSameLineInBothEncodings(Kind<?> kind) {
        Set<String> seen = new HashSet<>();
        for (int seed = 0; seed < 300; seed++) {
            RandomObject.Both object =
                    new RandomObject(new SplittableRandom(seed), seed % 40).make(Descriptors.of(kind), 0);
            String expected = outcome(() -> json.read(toJson(kind, object)));
            ProtobufObject encoded = encoded(kind, object.message().toByteArray());

            assertThat(outcome(() -> protobuf.read(encoded)))
                    .as("seed %d", seed)
                    .isEqualTo(expected);
            seen.add(expected.replaceAll("^.*?: |\\[.*", ""));
        }
        assertThat(seen).as("kinds of faults").hasSizeGreaterThan(kind.equals(Kinds.POD) ? 10 : 1);
    }

    private static List<Kind<?>> kinds() {
        return Descriptors.kinds();
    }

    private static String outcome(Supplier<KubernetesObject> reading) {
        try {
            return reading.get().toString();
        } catch (ObjectReadException problem) {
            return problem.getMessage();
        }
    }

    /** A dozen watches that each kept what repeats took 3 MB beside an empty cluster. */
    @Test
    void whatRepeatsIsOneObjectAmongReadersOfKindsAndEncodings() {
        V1.Pod pod = V1.Pod.newBuilder()
                .setMetadata(Meta.ObjectMeta.newBuilder().setName("db-0").putLabels("tier", "front"))
                .build();

        KubernetesObject first = json.only(Kinds.NODE)
                .read("{'kind':'Node','metadata':{'name':'n','labels':{'tier':'front'}}}".replace('\'', '"'));
        KubernetesObject second = json.protobuf(Kinds.POD).read(encoded(Kinds.POD, pod.toByteArray()));

        assertThat(second.meta().labels().asMap().get("tier"))
                .isEqualTo("front")
                .isSameAs(first.meta().labels().asMap().get("tier"));
    }

    /** Ten thousand of them cost what is in their spec once. */
    @Test
    void podsOfAStatefulSetWhoseClaimsDifferShareWhatIsAlikeInTheirSpec() {
        PodSpec first = claiming("data-db-0", "kube-api-access-x7");
        PodSpec second = claiming("data-db-1", "kube-api-access-9z");

        assertThat(second.containers()).hasSize(1).isSameAs(first.containers());
        assertThat(first.volumes()).extracting(PodVolume::id).containsExactly("data-db-0");
        assertThat(second.volumes()).extracting(PodVolume::id).containsExactly("data-db-1");
    }

    private PodSpec claiming(String claim, String token) {
        V1.Pod pod = V1.Pod.newBuilder()
                .setMetadata(Meta.ObjectMeta.newBuilder().setName("db"))
                .setSpec(V1.PodSpec.newBuilder()
                        .addContainers(V1.Container.newBuilder().setName("db"))
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
        return ((Pod) protobuf.read(encoded(Kinds.POD, pod.toByteArray()))).spec();
    }

    @Rotated(3)
    @ParameterizedTest
    @MethodSource("kinds")
    void whateverTheBytesAreItReadsAnObjectOrSaysWhyNot(Kind<?> kind) {
        List<byte[]> whole = IntStream.range(0, 50)
                .mapToObj(seed -> new RandomObject(new SplittableRandom(seed))
                        .make(Descriptors.of(kind), 0)
                        .message()
                        .toByteArray())
                .toList();
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 3000; round++) {
            byte[] bytes = whole.get(round % whole.size()).clone();
            for (int i = random.nextInt(6); i >= 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            ProtobufObject encoded = encoded(kind, bytes);
            try {
                assertThat(protobuf.read(encoded)).isNotNull();
            } catch (ObjectReadException expected) {
                assertThat(expected.getMessage()).isNotBlank();
            }
        }
    }

    private static String toJson(Kind<?> kind, RandomObject.Both object) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", kind.objectKind());
        fields.put("apiVersion", kind.apiVersion());
        fields.putAll(object.json());
        return RandomObject.toJson(fields);
    }

    private static ProtobufObject encoded(Kind<?> kind, byte[] fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {'k', '8', 's', 0});
        out.writeBytes(Unknown.newBuilder()
                .setTypeMeta(
                        TypeMeta.newBuilder().setApiVersion(kind.apiVersion()).setKind(kind.objectKind()))
                .setRaw(ByteString.copyFrom(fields))
                .build()
                .toByteArray());
        byte[] bytes = out.toByteArray();
        return ProtobufObject.of(bytes, 0, bytes.length);
    }
}
