package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import io.evenkeel.hollow.Encoding.ListMeta;
import io.evenkeel.schema.TypeMeta;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProtobufEncodingTest {
    private static final TypeMeta POD = new TypeMeta("v1", "Pod");

    private final ProtobufEncoding encoding = new ProtobufEncoding();

    static Stream<TypeMeta> types() {
        return Published.types();
    }

    @ParameterizedTest
    @MethodSource("types")
    void aParserByOthersReadsWhatWasWritten(TypeMeta type) throws InvalidProtocolBufferException {
        Descriptor published = Published.of(type);
        for (int seed = 0; seed < 100; seed++) {
            JsonObject tree = new RandomTree(new SplittableRandom(seed)).make(published);

            DynamicMessage parsed = DynamicMessage.parseFrom(published, encoding.body(type, tree));

            assertThat(ParsedTree.of(parsed)).as("seed %d", seed).isEqualTo(tree);
        }
    }

    @Test
    void whatProtobufDoesNotKnowIsLeftOut() throws InvalidProtocolBufferException {
        JsonObject tree = tree("""
            {"metadata":{"name":"a","creationTimestamp":null,"surprise":{"x":1}},
             "spec":{"containers":null,"volumes":"none","priority":"high","hostNetwork":true},
             "status":{"startTime":"yesterday"}}\
            """);

        V1.Pod pod = V1.Pod.parseFrom(encoding.body(POD, tree));

        assertThat(ParsedTree.of(pod))
                .isEqualTo(tree("{\"metadata\":{\"name\":\"a\"},\"spec\":{\"hostNetwork\":true},\"status\":{}}"));
    }

    @Test
    void anObjectSaysWhatItIs() throws InvalidProtocolBufferException {
        Unknown object = envelope(pod("a"));

        assertThat(object.getTypeMeta().getApiVersion()).isEqualTo("v1");
        assertThat(object.getTypeMeta().getKind()).isEqualTo("Pod");
        assertThat(V1.Pod.parseFrom(object.getRaw()).getMetadata().getName()).isEqualTo("a");
    }

    @Test
    void aListIsOneMessage() throws IOException {
        List<byte[]> bodies =
                List.of(encoding.body(POD, tree("{\"metadata\":{\"name\":\"a\"}}")), encoding.body(POD, tree("{}")));
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        encoding.list(out, new TypeMeta("v1", "PodList"), new ListMeta("17", "next", 4), bodies);

        Unknown envelope = envelope(out.toByteArray());
        V1.PodList list = V1.PodList.parseFrom(envelope.getRaw());
        assertThat(envelope.getTypeMeta().getKind()).isEqualTo("PodList");
        assertThat(list.getMetadata().getResourceVersion()).isEqualTo("17");
        assertThat(list.getMetadata().getContinue()).isEqualTo("next");
        assertThat(list.getMetadata().getRemainingItemCount()).isEqualTo(4);
        assertThat(list.getItemsList())
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactly("a", "");
    }

    @Test
    void aWatchEventStandsInAFrame() throws InvalidProtocolBufferException {
        byte[] frame = encoding.event("ADDED", pod("a".repeat(300)));

        int length = (frame[2] & 0xff) << 8 | (frame[3] & 0xff);
        Meta.WatchEvent event = Meta.WatchEvent.parseFrom(Arrays.copyOfRange(frame, 4, frame.length));
        assertThat(length).isEqualTo(frame.length - 4);
        assertThat(event.getType()).isEqualTo("ADDED");
        assertThat(envelope(event.getObject().getRaw().toByteArray())
                        .getTypeMeta()
                        .getKind())
                .isEqualTo("Pod");
    }

    @Test
    void otherKindsAreForOtherEncodings() {
        assertThat(encoding.supports(new TypeMeta("apps/v1", "ReplicaSetList"))).isTrue();
        assertThat(encoding.supports(new TypeMeta("v1", "Secret"))).isTrue();
        assertThat(encoding.supports(new TypeMeta("apps/v1beta1", "Deployment")))
                .isFalse();
        assertThat(encoding.supports(new TypeMeta("v1", "Deployment"))).isFalse();
        assertThat(encoding.supports(new TypeMeta("serving.knative.dev/v1", "Service")))
                .isFalse();
    }

    private byte[] pod(String name) {
        return encoding.object(POD, encoding.body(POD, tree("{\"metadata\":{\"name\":\"" + name + "\"}}")));
    }

    private static Unknown envelope(byte[] object) throws InvalidProtocolBufferException {
        assertThat(object).startsWith('k', '8', 's', 0);
        return Unknown.parseFrom(ByteString.copyFrom(object).substring(4));
    }

    private static JsonObject tree(String json) {
        return JsonParser.parseString(json).getAsJsonObject();
    }
}
