package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.evenkeel.hollow.ProtobufBody.MalformedMessageException;
import io.evenkeel.hollow.ProtobufEncoding.MessageWriter;
import io.evenkeel.schema.Schema;
import io.evenkeel.schema.TypeMeta;
import io.kubernetes.client.proto.IntStr;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Scheduling;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProtobufBodyTest {
    /** Of each form in which a field can stand. */
    private static final UnknownFieldSet SURPRISES = UnknownFieldSet.newBuilder()
            .addField(
                    1000,
                    UnknownFieldSet.Field.newBuilder()
                            .addVarint(-1)
                            .addFixed32(7)
                            .addFixed64(8)
                            .addLengthDelimited(ByteString.copyFromUtf8("later"))
                            .build())
            .build();

    static Stream<TypeMeta> types() {
        return Published.types();
    }

    /** What the writer writes is read by a library of others, which is tested where the writer is; here it writes. */
    @ParameterizedTest
    @MethodSource("types")
    void whatOthersWriteIsRead(TypeMeta type) throws InvalidProtocolBufferException {
        Descriptor published = Published.of(type);
        for (int seed = 0; seed < 100; seed++) {
            JsonObject tree =
                    RandomTree.withoutZeros(new SplittableRandom(seed)).make(published);
            Message message = DynamicMessage.parseFrom(
                            published,
                            new MessageWriter()
                                    .write(Schema.KUBERNETES.nameOf(type).orElseThrow(), tree))
                    .toBuilder()
                    .mergeUnknownFields(SURPRISES)
                    .build();

            JsonObject read = ProtobufBody.read(body(type.apiVersion(), type.kind(), message));

            tree.addProperty("apiVersion", type.apiVersion());
            tree.addProperty("kind", type.kind());
            assertThat(read).as("seed %d", seed).isEqualTo(tree);
        }
    }

    @Test
    void aSecretAsClientsInGoSendIt() {
        Message secret = V1.Secret.newBuilder()
                .setMetadata(Meta.ObjectMeta.newBuilder()
                        .setName("release")
                        .setGenerateName("")
                        .setGeneration(0)
                        .setCreationTimestamp(Meta.Time.getDefaultInstance())
                        .putLabels("owner", "helm")
                        .putLabels("empty", ""))
                .putData("release", ByteString.copyFromUtf8("text"))
                .setType("helm.sh/release.v1")
                .build();

        assertThat(ProtobufBody.read(body("v1", "Secret", secret))).isEqualTo(tree("""
            {"apiVersion":"v1","kind":"Secret","data":{"release":"dGV4dA=="},"type":"helm.sh/release.v1",
             "metadata":{"name":"release","labels":{"owner":"helm","empty":""}}}\
            """));
    }

    @Test
    void aZeroIsNoneWhereGoHasNoOtherWayToSayNone() {
        Message pod = V1.Pod.newBuilder()
                .setSpec(V1.PodSpec.newBuilder()
                        .setHostNetwork(false)
                        .setNodeName("")
                        .addContainers(V1.Container.newBuilder().setName("").setStdin(false)))
                .build();

        assertThat(ProtobufBody.read(body("v1", "Pod", pod)).get("spec"))
                .isEqualTo(tree("{\"containers\":[{\"name\":\"\"}]}"));
    }

    @Test
    void aZeroIsAValueWhereGoHasAPointerOrAlwaysShowsIt() {
        assertRead(
                "apps/v1",
                "Deployment",
                V1Apps.Deployment.newBuilder()
                        .setSpec(V1Apps.DeploymentSpec.newBuilder()
                                .setReplicas(0)
                                .setMinReadySeconds(0)
                                .setPaused(false))
                        .build(),
                "{\"spec\":{\"replicas\":0}}");
        assertRead(
                "v1",
                "PersistentVolumeClaim",
                V1.PersistentVolumeClaim.newBuilder()
                        .setSpec(V1.PersistentVolumeClaimSpec.newBuilder()
                                .setStorageClassName("")
                                .setVolumeName(""))
                        .build(),
                "{\"spec\":{\"storageClassName\":\"\"}}");
        assertRead(
                "scheduling.k8s.io/v1",
                "PriorityClass",
                V1Scheduling.PriorityClass.newBuilder()
                        .setValue(0)
                        .setGlobalDefault(false)
                        .build(),
                "{\"value\":0}");
        assertRead(
                "policy/v1",
                "PodDisruptionBudget",
                V1Policy.PodDisruptionBudget.newBuilder()
                        .setSpec(V1Policy.PodDisruptionBudgetSpec.newBuilder()
                                .setMinAvailable(IntStr.IntOrString.newBuilder()
                                        .setType(0)
                                        .setIntVal(0)
                                        .setStrVal("")))
                        .build(),
                "{\"spec\":{\"minAvailable\":0}}");
        assertRead(
                "v1",
                "DeleteOptions",
                Meta.DeleteOptions.newBuilder().setGracePeriodSeconds(0).build(),
                "{\"gracePeriodSeconds\":0}");
    }

    @Test
    void timesAreAsPreciseAsJsonHasThem() {
        assertRead(
                "coordination.k8s.io/v1",
                "Lease",
                V1Coordination.Lease.newBuilder()
                        .setMetadata(Meta.ObjectMeta.newBuilder()
                                .setCreationTimestamp(Meta.Time.newBuilder().setSeconds(60)))
                        .setSpec(V1Coordination.LeaseSpec.newBuilder()
                                .setRenewTime(Meta.MicroTime.newBuilder()
                                        .setSeconds(60)
                                        .setNanos(0)))
                        .build(),
                """
                {"metadata":{"creationTimestamp":"1970-01-01T00:01:00Z"},
                 "spec":{"renewTime":"1970-01-01T00:01:00.000000Z"}}\
                """);
    }

    @Test
    void twoGroupsMayHaveAMessageOfOneName() {
        Message event = io.kubernetes.client.proto.V1Events.Event.newBuilder()
                .setNote("said")
                .build();

        assertRead("events.k8s.io/v1", "Event", event, "{\"note\":\"said\"}");
    }

    @Test
    void whatIsNoMessageIsRefused() {
        assertThatThrownBy(() -> ProtobufBody.read(new byte[] {'{', '}', ' ', ' ', ' '}))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("does not appear to be a protobuf message");
        assertThatThrownBy(() -> ProtobufBody.read(body("v1", "Zork", V1.Pod.getDefaultInstance())))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("no kind \"Zork\" is registered for version \"v1\"");
        assertThatThrownBy(() -> ProtobufBody.read(body("apps/v2", "Deployment", V1.Pod.getDefaultInstance())))
                .isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void aBodyThatIsCutOffIsRefusedOrSaysLess() {
        byte[] body = body(
                "v1",
                "Secret",
                V1.Secret.newBuilder().setType("a long enough text").build());
        JsonObject nothing = tree("{\"apiVersion\":\"v1\",\"kind\":\"Secret\"}");

        for (int length = 0; length < body.length; length++) {
            byte[] cut = Arrays.copyOf(body, length);
            try {
                assertThat(ProtobufBody.read(cut))
                        .as("the first %d bytes", length)
                        .isEqualTo(nothing);
            } catch (MalformedMessageException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }

    private static void assertRead(String apiVersion, String kind, Message message, String fields) {
        JsonObject expected = tree(fields);
        expected.addProperty("apiVersion", apiVersion);
        expected.addProperty("kind", kind);
        assertThat(ProtobufBody.read(body(apiVersion, kind, message))).isEqualTo(expected);
    }

    private static byte[] body(String apiVersion, String kind, Message fields) {
        byte[] envelope = Runtime.Unknown.newBuilder()
                .setTypeMeta(
                        Runtime.TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
                .setRaw(fields.toByteString())
                .build()
                .toByteArray();
        return ByteString.copyFrom(new byte[] {'k', '8', 's', 0})
                .concat(ByteString.copyFrom(envelope))
                .toByteArray();
    }

    private static JsonObject tree(String json) {
        return JsonParser.parseString(json).getAsJsonObject();
    }
}
