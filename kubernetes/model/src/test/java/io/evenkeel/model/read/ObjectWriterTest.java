package io.evenkeel.model.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.model.CoschedulingPodGroup;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.model.write.Tree;
import io.evenkeel.rotation.Rotation;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ObjectWriterTest {
    private final ObjectReader json = new ObjectReader();
    private final ProtobufReader protobuf = new ProtobufReader();
    private final ObjectWriter writer = new ObjectWriter();

    @ParameterizedTest
    @MethodSource("kinds")
    void whatIsWrittenOfAnObjectReadsAsTheSame(Kind<?> kind) {
        for (long seed : Rotation.seeds(300).toArray()) {
            KubernetesObject object =
                    json.read(toJson(kind, new RandomObject(new SplittableRandom(seed)).make(Descriptors.of(kind), 0)));

            assertReadsAs(object, kind);
        }
    }

    private void assertReadsAs(KubernetesObject object, Kind<?> kind) {
        ObjectWriter writer = new ObjectWriter(Kinds.of(List.of(kind)));
        String text = writer.json(object);
        byte[] bytes = writer.protobuf(object);

        assertThat(json.read(text)).as(text).isEqualTo(object);
        assertThat(writer.json(json.read(text))).isEqualTo(text);
        Tree fields = new Tree();
        writer.fields(object).forEach(fields::put);
        assertThat(json.read(fields.json())).as(text).isEqualTo(object);
        assertThat(protobuf.read(ProtobufObject.item(kind.apiVersion(), kind.objectKind(), bytes, 0, bytes.length)))
                .as(text)
                .isEqualTo(object);
    }

    private static List<Kind<?>> kinds() {
        return Descriptors.kinds();
    }

    private static String toJson(Kind<?> kind, RandomObject.Both object) {
        String rest = RandomObject.toJson(object.json()).substring(1);
        return "{\"apiVersion\":\"" + kind.apiVersion() + "\",\"kind\":\"" + kind.objectKind() + "\"," + rest;
    }

    @Test
    void eachKindCanBeWritten() {
        assertThat(Kinds.IN_TREE.all())
                .allSatisfy(kind -> assertThat(ObjectWriter.unwritable(kind))
                        .as(kind.name())
                        .isEmpty());
    }

    @Test
    void aCustomResourceIsWrittenByItsOwnGroup() {
        CoschedulingPodGroup group = new CoschedulingPodGroup(ObjectMeta.named("shop", "web"), 3);

        assertThat(writer.json(group)).isEqualTo("""
                {"apiVersion":"scheduling.x-k8s.io/v1alpha1","kind":"PodGroup",\
                "metadata":{"name":"web","namespace":"shop"},"spec":{"minMember":3}}""");
        assertReadsAs(group, Kinds.COSCHEDULING_POD_GROUP);
    }

    @Test
    void textIsWrittenSoThatItReadsAsTheSame() {
        String all = "\"\\/\b\f\n\r\t\u0000\u001f\u007f\u2028ünïcode \ud83d\ude00";
        KubernetesObject object = json.read("{\"kind\":\"Namespace\",\"metadata\":{\"name\":\"a\",\"uid\":\"b\"}}");
        KubernetesObject named = new io.evenkeel.model.Namespace(object.meta().ofAnother(all));

        assertReadsAs(named, Kinds.NAMESPACE);
    }

    @Test
    void ofAnObjectThatIsNotReadItWritesItsIdentity() {
        UnreadObject object = new UnreadObject("ConfigMap", ObjectMeta.named("shop", "settings"));

        assertThat(writer.json(object))
                .isEqualTo("{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"settings\",\"namespace\":\"shop\"}}");
        assertThat(json.read(writer.json(object))).isEqualTo(object);
    }

    record Rack(ObjectMeta meta, boolean closed) implements PluginObject {
        @Override
        public String kindName() {
            return "Rack";
        }
    }

    @Test
    void aTableThatDoesNotSayWhereAFieldIsFoundIsNamedByIt() {
        Kind<Rack> kind = rack(Message.ofObject(fields -> {
            var closed = fields.bool("closed", 2, false);
            return read -> new Rack(read.get(Metadata.FIELD), read.get(closed));
        }));
        ObjectWriter ofRacks = new ObjectWriter(Kinds.IN_TREE.with(List.of(kind)));

        assertThat(ObjectWriter.unwritable(kind)).contains("closed");
        assertThatThrownBy(() -> ofRacks.json(new Rack(ObjectMeta.named("", "a"), true)))
                .hasMessage("the row closed=2 does not say where its value is found");
    }

    @Test
    void aPluginsKindIsWrittenByItsTableToo() {
        Kind<Rack> kind = rack(Message.ofObject(fields -> {
            var closed = fields.bool("closed", 2, false).from(Rack::closed);
            return read -> new Rack(read.get(Metadata.FIELD), read.get(closed));
        }));
        ObjectWriter ofRacks = new ObjectWriter(Kinds.IN_TREE.with(List.of(kind)));

        assertThat(ObjectWriter.unwritable(kind)).isEmpty();
        assertThat(ofRacks.json(new Rack(ObjectMeta.named("", "a"), true))).isEqualTo("""
                        {"apiVersion":"example.com/v1","kind":"Rack","metadata":{"name":"a"},"closed":true}""");
    }

    private static Kind<Rack> rack(Message<Rack> table) {
        return new Kind<>("Rack", "example.com", "v1", "racks", false, Rack.class, table);
    }
}
