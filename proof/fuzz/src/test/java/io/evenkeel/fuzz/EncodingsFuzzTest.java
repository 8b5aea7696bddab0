package io.evenkeel.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.Encoding;
import io.evenkeel.kube.watch.WatchEvent;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.schema.Schema;
import io.evenkeel.schema.TypeMeta;
import java.util.List;

/** An object is the same, or refused in the same words under the same name, whichever encoding it comes in. */
class EncodingsFuzzTest {
    private static final Encoding IN_JSON = Encoding.json();
    private static final Encoding IN_PROTOBUF = Encoding.protobuf();

    @FuzzTest
    void bothReadersSayTheSame(byte[] bytes) throws Throwable {
        Draws draws = new Draws(bytes);
        Kind<?> kind = Reading.kind(draws);
        TypeMeta type = new TypeMeta(kind.apiVersion(), kind.objectKind());
        String event = draws.from(List.of("ADDED", "DELETED"));
        JsonObject tree = metadataFirst(
                new ObjectTree(draws).of(Schema.KUBERNETES.nameOf(type).orElseThrow()));
        Cost.isAtMost(20_000, bytes.length, () -> {
            WatchEvent inJson = read(kind, type, event, tree, IN_JSON, Answer.JSON);
            WatchEvent inProtobuf = read(kind, type, event, tree, IN_PROTOBUF, Answer.PROTOBUF);
            assertThat(inProtobuf).as("%s", tree).isEqualTo(inJson);
        });
    }

    /** As every server writes it: what is wrong before it could not be told under a name, which protobuf is searched for. */
    private static JsonObject metadataFirst(JsonObject tree) {
        JsonObject ordered = new JsonObject();
        if (tree.has("metadata")) {
            ordered.add("metadata", tree.get("metadata"));
        }
        tree.entrySet().forEach(field -> ordered.add(field.getKey(), field.getValue()));
        return ordered;
    }

    private static WatchEvent read(
            Kind<?> kind, TypeMeta type, String event, JsonObject tree, Encoding encoding, String contentType) {
        byte[] bytes = encoding.event(event, encoding.object(type, encoding.body(type, tree)));
        Reading reading = Reading.ofFrames(kind, Answer.atOnce(contentType, bytes));
        assertThat(reading.end()).isEmpty();
        assertThat(reading.events()).hasSize(1);
        return reading.events().getFirst();
    }
}
