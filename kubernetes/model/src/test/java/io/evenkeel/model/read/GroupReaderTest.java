package io.evenkeel.model.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.CoschedulingPodGroup;
import io.evenkeel.model.GroupCondition;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class GroupReaderTest {
    private static final String OWN = "\"apiVersion\":\"scheduling.k8s.io/v1beta1\"";
    private static final String COSCHEDULING = "\"apiVersion\":\"scheduling.x-k8s.io/v1alpha1\"";
    private static final String META = "\"metadata\":{\"name\":\"train\",\"namespace\":\"ml\"}";
    private static final String MIN_MEMBER = "\"spec\":{\"minMember\":4}";
    private static final ObjectMeta TRAIN = ObjectMeta.named("ml", "train");

    private final ObjectReader reader = new ObjectReader();

    @Test
    void aPodNamesItsGroupAndHowItIsToBePlaced() {
        Pod pod = (Pod) reader.read("""
            {"kind":"Pod","metadata":{"name":"p","annotations":{"note":"n","evenkeel.io/group-placement":"endState"}},
             "spec":{"schedulingGroup":{"podGroupName":"train"}}}\
            """);

        assertThat(pod.spec().podGroupName()).isEqualTo("train");
        assertThat(pod.meta().annotations()).isEqualTo(Labels.of(Annotations.GROUP_PLACEMENT, "endState"));
        assertThat(PodBuilder.from(pod).nodeName("n").build().spec().podGroupName())
                .isEqualTo("train");
        assertThat(pod.spec().withNodeName("n").podGroupName()).isEqualTo("train");
        assertThat(PodBuilder.pod("p").podGroup("train").build().spec().podGroupName())
                .isEqualTo("train");
        assertThat(PodBuilder.pod("p").build().spec().podGroupName()).isEmpty();
    }

    @Test
    void readsAGangWithAllThatItSays() {
        assertThat(reader.read("""
            {"kind":"PodGroup",%s,"metadata":{"name":"train","namespace":"ml",
              "annotations":{"evenkeel.io/group-placement":"lookAhead","a":"b"}},
             "spec":{"schedulingPolicy":{"gang":{"minCount":4}},"priority":7,
              "schedulingConstraints":{"topology":[{"key":"example.com/rack"}]},"disruptionMode":{"all":{}}},
             "status":{"conditions":[
              {"type":"DisruptionTarget","status":"True","reason":"PreemptionByScheduler","message":""},
              {"type":"PodGroupInitiallyScheduled","status":"False","reason":"Unschedulable","message":"no room",
               "lastTransitionTime":"2026-01-02T03:04:05Z","observedGeneration":3},
              {"type":"evenkeel.io/Degraded","status":"True","reason":"PodsMissing"}]}}\
            """.formatted(OWN)))
                .isEqualTo(new PodGroup(
                        TRAIN.withAnnotations(Labels.of(Annotations.GROUP_PLACEMENT, "lookAhead")),
                        OptionalInt.of(4),
                        Optional.of("example.com/rack"),
                        PodGroup.DISRUPTED_AS_A_WHOLE,
                        List.of(
                                new GroupCondition(
                                        GroupCondition.INITIALLY_SCHEDULED,
                                        "False",
                                        GroupCondition.UNSCHEDULABLE,
                                        "no room",
                                        "2026-01-02T03:04:05Z",
                                        3),
                                new GroupCondition(GroupCondition.DEGRADED, "True", "PodsMissing", "", "", 0))));
    }

    @Test
    void whatAGroupDoesNotSayHasTheApisDefault() {
        PodGroup none =
                new PodGroup(TRAIN, OptionalInt.empty(), Optional.empty(), PodGroup.DISRUPTED_BY_POD, List.of());

        assertThat(List.of(
                        "\"spec\":{\"schedulingPolicy\":{\"basic\":{}}}",
                        "\"spec\":{\"disruptionMode\":{\"single\":{}},\"schedulingConstraints\":{\"topology\":[]}}",
                        "\"status\":{\"conditions\":[{\"type\":\"Other\",\"status\":\"True\"}]}"))
                .allSatisfy(
                        rest -> assertThat(reader.read(group(OWN, META, rest))).isEqualTo(none));
        assertThatThrownBy(() -> reader.read(group(OWN, META, "\"spec\":{\"schedulingPolicy\":{\"gang\":{}}}")))
                .hasMessage("PodGroup ml/train: spec.schedulingPolicy.gang.minCount: missing");
    }

    /** Which of the two it is only the apiVersion tells, wherever it stands. */
    @Test
    void theApiVersionTellsTheTwoKindsApartInAnyOrderOfFields() {
        CoschedulingPodGroup four = new CoschedulingPodGroup(TRAIN, 4);

        assertThat(reader.read(group(COSCHEDULING, META, MIN_MEMBER))).isEqualTo(four);
        assertThat(reader.read(group(MIN_MEMBER, COSCHEDULING, META))).isEqualTo(four);
        assertThat(reader.read(group(META, MIN_MEMBER, COSCHEDULING))).isEqualTo(four);
        assertThat(reader.read("{" + MIN_MEMBER + "," + META + "," + COSCHEDULING + ",\"kind\":\"PodGroup\"}"))
                .isEqualTo(four);
        assertThat(reader.read(group(META, "\"spec\":{\"schedulingPolicy\":{\"gang\":{\"minCount\":4}}}", OWN)))
                .isInstanceOfSatisfying(
                        PodGroup.class, group -> assertThat(group.minimum()).hasValue(4));
        assertThat(reader.read(group(META, MIN_MEMBER))).isInstanceOf(PodGroup.class);
        assertThat(reader.read(group("\"apiVersion\":\"batch.example.com/v1\"", META, MIN_MEMBER)))
                .isEqualTo(new UnreadObject("PodGroup", TRAIN));
        assertThatThrownBy(() -> reader.read(group(COSCHEDULING, MIN_MEMBER, META, OWN)))
                .hasMessageContaining("apiVersion: said twice, before that scheduling.x-k8s.io/v1alpha1");
    }

    @Test
    void aListSaysForItsItemsWhichOfTheTwoTheyAre() {
        String items = "\"items\":[{" + META + "," + MIN_MEMBER + "}]";

        assertThat(reader.readAll("{\"kind\":\"PodGroupList\"," + COSCHEDULING + "," + items + "}"))
                .containsExactly(new CoschedulingPodGroup(TRAIN, 4));
        assertThat(reader.readAll("{" + items + "," + COSCHEDULING + ",\"kind\":\"PodGroupList\"}"))
                .containsExactly(new CoschedulingPodGroup(TRAIN, 4));
        assertThat(reader.readAll("{\"kind\":\"PodGroupList\"," + OWN + "," + items + "}"))
                .hasOnlyElementsOfType(PodGroup.class);
    }

    @Test
    void aReaderOfOneKindNeedsNoApiVersion() {
        ObjectReader only = reader.only(Kinds.COSCHEDULING_POD_GROUP);
        KubernetesObject read = only.read(group(META, MIN_MEMBER));

        assertThat(read).isEqualTo(new CoschedulingPodGroup(TRAIN, 4));
        assertThat(only.read(group(OWN, META))).isEqualTo(new UnreadObject("PodGroup", TRAIN));
    }

    /** The schema of this custom resource lets times pass that are none to others; nothing of its status is read. */
    @Test
    void whatTheStatusOfTheCoschedulingPluginsGroupSaysKeepsNoneFromBeingRead() {
        String status = "\"status\":{\"phase\":7,\"scheduleStartTime\":\"yesterday\",\"conditions\":{}}";

        assertThat(reader.read(group(COSCHEDULING, META, MIN_MEMBER, status)))
                .isEqualTo(new CoschedulingPodGroup(TRAIN, 4));
    }

    private static String group(String... fields) {
        return "{\"kind\":\"PodGroup\"," + String.join(",", fields) + "}";
    }
}
