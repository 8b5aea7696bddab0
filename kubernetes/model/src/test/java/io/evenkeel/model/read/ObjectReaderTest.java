package io.evenkeel.model.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.Service;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObjectReaderTest {
    private final ObjectReader reader = new ObjectReader();

    @Test
    void readsANode() {
        Node node = TestObjects.node();

        assertThat(node.meta().uid()).isEqualTo("9a");
        assertThat(node)
                .isEqualTo(NodeBuilder.node("n1")
                        .uid("9a")
                        .hostname("n1")
                        .zone("a")
                        .unschedulable(true)
                        .taint("node.kubernetes.io/unschedulable", "", TaintEffect.NO_SCHEDULE)
                        .taint("dedicated", "web", TaintEffect.PREFER_NO_SCHEDULE)
                        .allocatable("cpu", "7910m", "memory", "14Gi", "pods", "110", "example.com/gpu", "2")
                        .image(9_000_000_000L, "web:1", "web@sha256:00")
                        .image(0)
                        .declaredFeatures(Set.of("a", "b"))
                        .build());
    }

    @Test
    void anObjectIsWhereItsKindLivesWhateverNamespaceItNames() {
        assertThat(read("{'kind':'Node','metadata':{'namespace':'shop','name':'n1'}}")
                        .meta()
                        .key())
                .isEqualTo("n1");
        assertThat(read("{'kind':'PersistentVolume','metadata':{'namespace':'shop','name':'v'}}")
                        .meta()
                        .key())
                .isEqualTo("v");
        assertThat(read("{'kind':'Service','metadata':{'name':'web'}}").meta().key())
                .isEqualTo("default/web");
    }

    @Test
    void readsTheOwnersOfPods() {
        assertThat(owner("ReplicaSet", "apps/v1", "{'matchLabels':{'a':'b'}}").selector())
                .isEqualTo(LabelSelector.matchingLabels(Labels.of("a", "b")));
        assertThat(owner("StatefulSet", "apps/v1", "{}").selector()).isEqualTo(LabelSelector.EVERYTHING);
        assertThat(owner("StatefulSet", "apps/v1", "null").selector()).isEqualTo(LabelSelector.NOTHING);
        assertThat(owner("ReplicationController", "v1", "{'a':'b'}").selector())
                .isEqualTo(LabelSelector.matchingLabels(Labels.of("a", "b")));
        assertThat(owner("ReplicationController", "v1", "{}").selector()).isEqualTo(LabelSelector.NOTHING);
    }

    private WorkloadOwner owner(String kind, String apiVersion, String selector) {
        return (WorkloadOwner) read("{'kind':'%s','apiVersion':'%s','metadata':{'name':'o'},'spec':{'selector':%s}}"
                .formatted(kind, apiVersion, selector));
    }

    @Test
    void readsTheSmallKinds() {
        assertThat(read("{'kind':'Namespace','metadata':{'name':'shop','labels':{'team':'a'}},'spec':{}}"))
                .isEqualTo(new Namespace(ObjectMeta.named("", "shop").withLabels(Labels.of("team", "a"))));
        assertThat(read("{'kind':'Service','metadata':{'name':'s'},'spec':{'ports':[],'selector':{'app':'web'}}}"))
                .isEqualTo(new Service(ObjectMeta.named("default", "s"), Labels.of("app", "web")));
        assertThat(read("{'kind':'PriorityClass','metadata':{'name':'p'},'value':-5,'globalDefault':true,"
                        + "'preemptionPolicy':'Never'}"))
                .isEqualTo(new PriorityClass(ObjectMeta.named("", "p"), -5, true, false));
    }

    @Test
    void ofOtherKindsAndGroupsOnlyTheIdentityIsKept() {
        assertThat(read("{'kind':'Job','metadata':{'namespace':'x','name':'j'},'spec':{'a':[{}]}}"))
                .isEqualTo(new UnreadObject("Job", ObjectMeta.named("x", "j")));
        assertThat(read("{'kind':'Service','metadata':{'name':'s'},'spec':7,'apiVersion':'serving.knative.dev/v1'}"
                        .replace("'spec':7", "'spec':{}")))
                .isEqualTo(new UnreadObject("Service", ObjectMeta.named("", "s")));
        assertThat(read("{'kind':'Service','apiVersion':'serving.knative.dev/v1','metadata':{'name':'s'},'spec':7}"))
                .isInstanceOf(UnreadObject.class);
    }

    @Test
    void readsListsWhoseItemsHaveNoKind() {
        Pod one = PodBuilder.pod("one").nodeName("n1").build();
        Pod two = PodBuilder.pod("two").build();
        String items = "[{'spec':{'nodeName':'n1'},'metadata':{'name':'one'}},{'metadata':{'name':'two'}}]";

        assertThat(readAll("{'kind':'PodList','metadata':{'resourceVersion':'1'},'items':" + items + "}"))
                .containsExactly(one, two);
        assertThat(readAll("{'items':" + items + ",'kind':'PodList'}")).containsExactly(one, two);
    }

    @Test
    void readsMixedAndNestedListsAndSeveralDocuments() {
        String node = "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'}}";
        String pod = "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'}}";
        String list = "{'apiVersion':'v1','items':[" + node + "," + pod + "],'kind':'List'}";

        assertThat(readAll(list)).hasExactlyElementsOfTypes(Node.class, Pod.class);
        assertThat(readAll("{'kind':'List','items':[" + list + "," + node + "]}"))
                .hasExactlyElementsOfTypes(Node.class, Pod.class, Node.class);
        assertThat(readAll(node + "\n" + list)).hasExactlyElementsOfTypes(Node.class, Node.class, Pod.class);
        assertThat(readAll("{'kind':'PodList','items':null}")).isEmpty();
        assertThat(readAll("{'kind':'List'}")).isEmpty();
    }

    @Test
    void readsFromAStreamAndFromTheMiddleOfOtherJson() throws IOException {
        List<KubernetesObject> streamed = new ArrayList<>();
        reader.readEach(new ByteArrayInputStream(TestObjects.POD_JSON.getBytes(StandardCharsets.UTF_8)), streamed::add);
        assertThat(streamed).containsExactly(TestObjects.pod());

        try (JsonParser parser =
                new JsonFactory().createParser("[" + TestObjects.NODE_JSON + "," + TestObjects.POD_JSON + "]")) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_ARRAY);
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            assertThat(reader.read(parser, "")).isEqualTo(TestObjects.node());
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            assertThat(reader.read(parser, "")).isEqualTo(TestObjects.pod());
            assertThat(parser.nextToken()).isEqualTo(JsonToken.END_ARRAY);
        }
    }

    @Test
    void stringsAndQuantitiesThatRepeatAreShared() {
        Pod one = (Pod) reader.read(TestObjects.POD_JSON);
        Pod two = (Pod) reader.read(TestObjects.POD_JSON);

        assertThat(one.labels().valueAt(0)).isSameAs(two.labels().valueAt(0));
        assertThat(one.labels().keyAt(0)).isSameAs(two.labels().keyAt(0));
        assertThat(one.spec().overhead().get("cpu"))
                .isSameAs(two.spec().overhead().get("cpu"));
    }

    private KubernetesObject read(String json) {
        return reader.read(json.replace('\'', '"'));
    }

    private List<KubernetesObject> readAll(String json) {
        return reader.readAll(json.replace('\'', '"'));
    }
}
