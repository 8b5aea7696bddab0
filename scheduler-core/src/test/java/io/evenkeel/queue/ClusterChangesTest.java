package io.evenkeel.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Hint;
import io.evenkeel.api.WakeUp;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterChangesTest {

    /** Of a plugin whose kind is called as metrics call a pod on a node. */
    record AssignedPod(ObjectMeta meta) implements PluginObject {
        @Override
        public String kindName() {
            return "AssignedPod";
        }
    }

    private static final Kind<AssignedPod> OF_A_PLUGIN = new Kind<>(
            "AssignedPod",
            "example.com",
            "v1",
            "assignedpods",
            true,
            AssignedPod.class,
            Message.ofObject(_ -> read -> new AssignedPod(read.get(Metadata.FIELD))));

    private static final Set<Kind<?>> HAVE_LABEL_SELECTORS =
            Set.of(Kinds.REPLICA_SET, Kinds.STATEFUL_SET, Kinds.PLACEMENT_POLICY, Kinds.CLUSTER_PLACEMENT_POLICY);

    private static final ObjectReader READER = new ObjectReader(Kinds.IN_TREE.with(Set.of(OF_A_PLUGIN)));

    static List<Kind<?>> rows() {
        return Kinds.IN_TREE.with(Set.of(OF_A_PLUGIN)).all().stream()
                .filter(kind -> !Set.of(Kinds.NODE, Kinds.POD).contains(kind))
                .toList();
    }

    /** What comes of a row, without a line about the kind. */
    @ParameterizedTest
    @MethodSource("rows")
    void objectsOfEachKindAreAddedUpdatedAndDeleted(Kind<?> kind) {
        Optional<KubernetesObject> one = Optional.of(object(kind, "a"));
        Optional<KubernetesObject> other = Optional.of(object(kind, "b"));
        ClusterChange added = ClusterChanges.between(Optional.empty(), one).orElseThrow();
        ClusterChange updated = ClusterChanges.between(one, other).orElseThrow();
        ClusterChange deleted = ClusterChanges.between(other, Optional.empty()).orElseThrow();

        assertThat(added.kinds()).containsExactly(ChangeKind.added(kind));
        assertThat(updated.kinds()).containsExactly(ChangeKind.updated(kind));
        assertThat(deleted.kinds()).containsExactly(ChangeKind.deleted(kind));
        String name = kind.equals(OF_A_PLUGIN) ? kind.name() : nameInMetrics(kind);
        assertThat(List.of(added, updated, deleted))
                .extracting(ClusterChange::label)
                .containsExactly(name + "Add", name + "Update", name + "Delete");
        assertThat(WakeUp.onAnyOf(Hint.ALWAYS, kind).kinds())
                .allMatch(some -> added.is(some) || updated.is(some) || deleted.is(some))
                .hasSize(3);
    }

    private static String nameInMetrics(Kind<?> kind) {
        return (kind.group().isEmpty() ? "" : kind.group() + "/") + kind.objectKind();
    }

    /** Dashboards and tests of clusters ask for them. */
    @Test
    void metricsCallChangesOfVolumesAsTheReferenceDoes() {
        assertThat(Stream.of(
                                ChangeKind.added(Kinds.PERSISTENT_VOLUME_CLAIM),
                                ChangeKind.updated(Kinds.PERSISTENT_VOLUME),
                                ChangeKind.added(Kinds.STORAGE_CLASS),
                                ChangeKind.updated(Kinds.CSI_NODE),
                                ChangeKind.updated(Kinds.CSI_DRIVER),
                                ChangeKind.added(Kinds.CSI_STORAGE_CAPACITY),
                                ChangeKind.deleted(Kinds.VOLUME_ATTACHMENT))
                        .map(ChangeKind::label))
                .containsExactly(
                        "PersistentVolumeClaimAdd",
                        "PersistentVolumeUpdate",
                        "storage.k8s.io/StorageClassAdd",
                        "storage.k8s.io/CSINodeUpdate",
                        "storage.k8s.io/CSIDriverUpdate",
                        "storage.k8s.io/CSIStorageCapacityAdd",
                        "storage.k8s.io/VolumeAttachmentDelete");
    }

    @Test
    void aKindCalledAsMetricsCallAPodIsNoPod() {
        Optional<KubernetesObject> object = Optional.of(object(OF_A_PLUGIN, "a"));
        ClusterChange added = ClusterChanges.between(Optional.empty(), object).orElseThrow();

        assertThat(added.label()).isEqualTo(ChangeKind.ASSIGNED_POD_ADDED.label());
        assertThat(added.is(ChangeKind.ASSIGNED_POD_ADDED)).isFalse();
    }

    @Test
    void aPodInThePlaceOfAnotherIsAddedForMetricsAndAnEndForHints() {
        Pod before = PodBuilder.pod("p").uid("1").nodeName("n").build();
        Pod after = PodBuilder.pod("p").uid("2").nodeName("n").build();
        ClusterChange change =
                ClusterChanges.between(Optional.of(before), Optional.of(after)).orElseThrow();

        assertThat(change.label()).isEqualTo("AssignedPodAdd");
        assertThat(change.is(ChangeKind.ASSIGNED_POD_DELETED)).isTrue();
        assertThat(change.isAnyOf(Set.of(ChangeKind.ASSIGNED_POD_DELETED))).isTrue();
        assertThat(change.isAnyOf(Set.of(ChangeKind.ASSIGNED_POD_LABELS))).isFalse();
    }

    @Test
    void aPluginThatAsksForNodesOrPodsAsIfTheyHadNoAspectsIsTold() {
        for (Kind<?> kind : List.of(Kinds.NODE, Kinds.POD)) {
            assertThatThrownBy(() -> ChangeKind.updated(kind))
                    .hasMessageStartingWith("changes of a " + kind.name() + " are constants of ChangeKind");
        }
    }

    @Test
    void aWakeUpThatWouldNeverComeIsRefused() {
        assertThatThrownBy(() -> WakeUp.onAnyOf(Hint.ALWAYS)).hasMessageStartingWith("a wake-up on no kind of change");
    }

    private static KubernetesObject object(Kind<?> kind, String label) {
        return READER.read("""
            {"apiVersion":"%s","kind":"%s","metadata":{"name":"x","labels":{"l":"%s"}},
             "spec":{"selector":{%s}}}
            """.formatted(
                        kind.apiVersion(),
                        kind.objectKind(),
                        label,
                        (HAVE_LABEL_SELECTORS.contains(kind) ? "\"matchLabels\":{\"l\":\"%s\"}" : "\"l\":\"%s\"")
                                .formatted(label)));
    }
}
