package io.evenkeel.cluster.counting;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Service;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkloadsTest {
    private final ObjectStore.Writer objects = ObjectStore.create();
    private final Workloads.Writer writer = Workloads.create(objects.objects());
    private final Workloads workloads = writer.workloads();

    private static PodBuilder pod() {
        return PodBuilder.pod("p").labels(Labels.of("app", "web", "tier", "front"));
    }

    private static Service service(String name, String... selector) {
        return new Service(ObjectMeta.named("default", name), Labels.of(selector));
    }

    private static OwnerReference reference(String apiVersion, String kind) {
        return new OwnerReference(apiVersion, kind, "web-1", "");
    }

    private static WorkloadOwner replicaSet(LabelSelector selector) {
        return new WorkloadOwner(WorkloadOwner.Kind.REPLICA_SET, ObjectMeta.named("default", "web-1"), selector, 1);
    }

    private void put(KubernetesObject object) {
        writer.objectChanged(objects.put(object), Optional.of(object));
    }

    private void remove(KubernetesObject object) {
        writer.objectChanged(objects.remove(object), Optional.empty());
    }

    private LabelSelector peersOf(PodBuilder pod) {
        return workloads.selectorOfPeers(pod.build());
    }

    private static LabelSelector labels(String... keysAndValues) {
        return LabelSelector.matchingLabels(Labels.of(keysAndValues));
    }

    @Test
    void aPodThatNobodySelectsHasNoPeers() {
        put(service("db", "app", "db"));
        put(service("by-hand"));

        assertThat(peersOf(pod())).isEqualTo(LabelSelector.EVERYTHING);
    }

    @Test
    void theSelectorsOfAllServicesThatSelectItHoldTogether() {
        put(service("web", "app", "web"));
        put(service("front", "tier", "front"));
        put(service("both", "app", "web", "tier", "back"));

        assertThat(peersOf(pod())).isEqualTo(labels("app", "web", "tier", "front"));
    }

    /** As each pod of a StatefulSet has its own name in its labels. */
    @Test
    void podsThatNoServiceTellsApartHaveOneAnswer() {
        put(service("web", "app", "web"));
        LabelSelector peers = peersOf(pod().label("pod-name", "web-0"));

        assertThat(peersOf(pod().label("pod-name", "web-1"))).isSameAs(peers).isEqualTo(labels("app", "web"));

        put(service("first", "pod-name", "web-0"));
        assertThat(peersOf(pod().label("pod-name", "web-0"))).isEqualTo(labels("app", "web", "pod-name", "web-0"));
        assertThat(peersOf(pod().label("pod-name", "web-1"))).isEqualTo(labels("app", "web"));

        remove(service("first", "pod-name", "web-0"));
        assertThat(peersOf(pod().label("pod-name", "web-0"))).isEqualTo(labels("app", "web"));
    }

    @Test
    void aServiceOfAnotherNamespaceSelectsNothingHere() {
        put(service("web", "app", "web"));

        assertThat(peersOf(pod().namespace("other"))).isEqualTo(LabelSelector.EVERYTHING);
    }

    @Test
    void aServiceThatChangesItsMindIsHeard() {
        put(service("web", "app", "web"));
        put(service("web", "tier", "front"));
        assertThat(peersOf(pod())).isEqualTo(labels("tier", "front"));

        remove(service("web"));
        assertThat(peersOf(pod())).isEqualTo(LabelSelector.EVERYTHING);
    }

    @Test
    void theControllersSelectorComesOnTop() {
        LabelRequirement revision = new LabelRequirement("revision", LabelRequirement.Operator.NOT_IN, List.of("old"));
        put(service("web", "app", "web"));
        put(replicaSet(LabelSelector.of(List.of(revision))));

        assertThat(peersOf(pod().controller(reference("apps/v1", "ReplicaSet"))))
                .isEqualTo(labels("app", "web").and(List.of(revision)));
    }

    @Test
    void aReplicationControllersLabelsReplaceThoseOfServices() {
        put(service("web", "app", "web"));
        put(new WorkloadOwner(
                WorkloadOwner.Kind.REPLICATION_CONTROLLER,
                ObjectMeta.named("default", "web-1"),
                labels("app", "other", "tier", "db"),
                1));

        assertThat(peersOf(pod().controller(reference("v1", "ReplicationController"))))
                .isEqualTo(labels("app", "other", "tier", "db"));
    }

    @Test
    void onlyTheKindAndVersionThatTheReferenceKnowsCount() {
        put(replicaSet(labels("app", "web")));

        assertThat(peersOf(pod().controller(reference("apps/v1beta2", "ReplicaSet"))))
                .isEqualTo(LabelSelector.EVERYTHING);
        assertThat(peersOf(pod().controller(reference("apps/v1", "StatefulSet"))))
                .isEqualTo(LabelSelector.EVERYTHING);
        assertThat(peersOf(pod().controller(reference("batch/v1", "Job")))).isEqualTo(LabelSelector.EVERYTHING);
    }

    @Test
    void aControllerThatIsGoneSaysNothing() {
        put(replicaSet(labels("app", "web")));
        remove(replicaSet(LabelSelector.NOTHING));

        assertThat(peersOf(pod().controller(reference("apps/v1", "ReplicaSet"))))
                .isEqualTo(LabelSelector.EVERYTHING);
    }
}
