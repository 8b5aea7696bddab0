package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.Schema.KnownFields;
import io.evenkeel.schema.TypeMeta;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects as a real server gives them in both forms: which zeros are values is known by its types in Go alone. */
class RecordedBodyTest {

    /** An object in both forms; protobuf in base64. */
    record Recorded(JsonObject json, String protobuf) {
        TypeMeta type() {
            return new TypeMeta(Trees.text(json, "apiVersion"), Trees.text(json, "kind"));
        }

        @Override
        public String toString() {
            return type().toString();
        }
    }

    static List<Recorded> recorded() throws IOException {
        try (InputStream in =
                new GZIPInputStream(RecordedBodyTest.class.getResourceAsStream("/apiserver/bodies.jsonl.gz"))) {
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .map(line -> JsonParser.parseString(line).getAsJsonObject())
                    .map(line -> new Recorded(comparable(line.getAsJsonObject("json")), Trees.text(line, "protobuf")))
                    .toList();
        }
    }

    @Test
    void thereAreManyKinds() throws IOException {
        assertThat(recorded().stream().map(Recorded::type).distinct()).hasSize(32);
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void protobufIsReadAsTheJsonOfTheSameObject(Recorded recorded) {
        assertThat(ProtobufBody.read(Base64.getDecoder().decode(recorded.protobuf())))
                .isEqualTo(recorded.json());
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void nothingOfItIsLostInWriting(Recorded recorded) {
        ProtobufEncoding encoding = new ProtobufEncoding();
        byte[] written = encoding.object(recorded.type(), encoding.body(recorded.type(), recorded.json()));

        assertThat(ProtobufBody.read(written)).isEqualTo(recorded.json());
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void allOfItsFieldsAreKnown(Recorded recorded) {
        assertThat(KnownFields.removeUnknown(recorded.type(), recorded.json())).isEmpty();
    }

    /** What only JSON says: null, and what claims within a StatefulSet are. */
    private static JsonObject comparable(JsonObject tree) {
        Trees.objects(tree, "spec", "volumeClaimTemplates")
                .forEach(claim -> List.of("kind", "apiVersion").forEach(claim::remove));
        return withoutNulls(tree);
    }

    private static JsonObject withoutNulls(JsonObject tree) {
        tree.entrySet().removeIf(member -> member.getValue().isJsonNull());
        tree.entrySet().forEach(member -> descend(member.getValue()));
        return tree;
    }

    private static void descend(JsonElement element) {
        switch (element) {
            case JsonObject object -> withoutNulls(object);
            case JsonArray array -> array.forEach(RecordedBodyTest::descend);
            default -> {}
        }
    }
}
