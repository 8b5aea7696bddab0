package io.evenkeel.app.hollow.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtobufBodyTest {
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    /** An empty text is read as none. */
    private static final List<String> WORDS =
            RandomTree.WORDS.stream().filter(word -> !word.isEmpty()).toList();

    static Stream<Message> types() {
        return Stream.of(
                V1.Secret.getDefaultInstance(),
                V1.Namespace.getDefaultInstance(),
                V1.Pod.getDefaultInstance(),
                V1Apps.StatefulSet.getDefaultInstance(),
                Meta.DeleteOptions.getDefaultInstance());
    }

    /** That the writer writes what others read is tested where it is. */
    @ParameterizedTest
    @MethodSource("types")
    void whatWasWrittenIsRead(Message type) {
        String kind = type.getDescriptorForType().getName();
        for (int seed = 0; seed < 300; seed++) {
            JsonObject tree = new RandomTree(new SplittableRandom(seed), WORDS).make(type.getDescriptorForType());

            assertThat(new MessageReader().read(kind, new MessageWriter().write(kind, tree)))
                    .as("seed %d", seed)
                    .isEqualTo(tree);
        }
    }

    @Test
    void aSecretAsClientsInGoSendIt() {
        Message secret = V1.Secret.newBuilder()
                .setMetadata(Meta.ObjectMeta.newBuilder()
                        .setName("release")
                        .setGenerateName("")
                        .setCreationTimestamp(Meta.Time.getDefaultInstance())
                        .putLabels("owner", "helm")
                        .putLabels("empty", ""))
                .putData("release", ByteString.copyFromUtf8("text"))
                .setType("helm.sh/release.v1")
                .build();

        assertThat(ProtobufBody.read(PROTOBUF, body("v1", "Secret", secret))).hasValue(tree("""
                {"apiVersion":"v1","kind":"Secret","data":{"release":"dGV4dA=="},"type":"helm.sh/release.v1",
                 "metadata":{"name":"release","labels":{"owner":"helm","empty":""}}}"""));
    }

    @Test
    void aGraceOfZeroIsNotNone() {
        Message options = Meta.DeleteOptions.newBuilder()
                .setGracePeriodSeconds(0)
                .setPropagationPolicy("Background")
                .build();

        assertThat(ProtobufBody.read(PROTOBUF, body("v1", "DeleteOptions", options)))
                .map(read -> read.get("gracePeriodSeconds").getAsLong())
                .hasValue(0L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Pod", "Deployment", ""})
    void otherKindsAreForJson(String kind) {
        assertThat(ProtobufBody.read(PROTOBUF, body("v1", kind, V1.Pod.getDefaultInstance())))
                .isEmpty();
    }

    @Test
    void whatIsNoMessageIsNotRead() {
        byte[] body = body(
                "v1",
                "Secret",
                V1.Secret.newBuilder().setType("a long enough text").build());

        assertThat(ProtobufBody.read("application/json", body)).isEmpty();
        for (int length = 0; length < body.length - 4; length++) {
            assertThat(ProtobufBody.read(PROTOBUF, java.util.Arrays.copyOf(body, length)))
                    .as("the first %d bytes", length)
                    .isIn(Optional.empty(), Optional.of(tree("{\"apiVersion\":\"v1\",\"kind\":\"Secret\"}")));
        }
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
