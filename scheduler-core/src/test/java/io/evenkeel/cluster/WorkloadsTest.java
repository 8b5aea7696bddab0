package io.evenkeel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.LabelRequirement;
import io.evenkeel.model.LabelSelector;
import io.evenkeel.model.Labels;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.PodBuilder;
import io.evenkeel.model.Service;
import io.evenkeel.model.WorkloadOwner;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkloadsTest {
    private final Workloads workloads = new Workloads();

    private static PodBuilder pod() {
        return PodBuilder.pod("p").labels(Labels.of("app", "web", "tier", "front"));
    }

    private static Service service(String name, String... selector) {
        return new Service(ObjectMeta.named("default", name), Labels.of(selector));
    }

    private static OwnerReference reference(String apiVersion, String kind) {
        return new OwnerReference(apiVersion, kind, "web-1", "");
    }

    private void replicaSet(LabelSelector selector) {
        workloads.put(
                new WorkloadOwner(WorkloadOwner.Kind.REPLICA_SET, ObjectMeta.named("default", "web-1"), selector));
    }

    private LabelSelector peersOf(PodBuilder pod) {
        return workloads.selectorOfPeers(pod.build());
    }

    private static LabelSelector labels(String... keysAndValues) {
        return LabelSelector.matchingLabels(Labels.of(keysAndValues));
    }

    @Test
    void aPodThatNobodySelectsHasNoPeers() {
        workloads.put(service("db", "app", "db"));
        workloads.put(service("by-hand"));

        assertThat(peersOf(pod())).isEqualTo(LabelSelector.EVERYTHING);
    }

    @Test
    void theSelectorsOfAllServicesThatSelectItHoldTogether() {
        workloads.put(service("web", "app", "web"));
        workloads.put(service("front", "tier", "front"));
        workloads.put(service("both", "app", "web", "tier", "back"));

        assertThat(peersOf(pod())).isEqualTo(labels("app", "web", "tier", "front"));
    }

    @Test
    void aServiceOfAnotherNamespaceSelectsNothingHere() {
        workloads.put(service("web", "app", "web"));

        assertThat(peersOf(pod().namespace("other"))).isEqualTo(LabelSelector.EVERYTHING);
    }

    @Test
    void aServiceThatChangesItsMindIsHeard() {
        workloads.put(service("web", "app", "web"));
        workloads.put(service("web", "tier", "front"));
        assertThat(peersOf(pod())).isEqualTo(labels("tier", "front"));

        workloads.remove("default/web");
        assertThat(peersOf(pod())).isEqualTo(LabelSelector.EVERYTHING);
    }

    @Test
    void theControllersSelectorComesOnTop() {
        LabelRequirement revision = new LabelRequirement("revision", LabelRequirement.Operator.NOT_IN, List.of("old"));
        workloads.put(service("web", "app", "web"));
        replicaSet(LabelSelector.of(List.of(revision)));

        assertThat(peersOf(pod().controller(reference("apps/v1", "ReplicaSet"))))
                .isEqualTo(labels("app", "web").and(List.of(revision)));
    }

    @Test
    void aReplicationControllersLabelsReplaceThoseOfServices() {
        workloads.put(service("web", "app", "web"));
        workloads.put(new WorkloadOwner(
                WorkloadOwner.Kind.REPLICATION_CONTROLLER,
                ObjectMeta.named("default", "web-1"),
                labels("app", "other", "tier", "db")));

        assertThat(peersOf(pod().controller(reference("v1", "ReplicationController"))))
                .isEqualTo(labels("app", "other", "tier", "db"));
    }

    @Test
    void onlyTheKindAndVersionThatTheReferenceKnowsCount() {
        replicaSet(labels("app", "web"));

        assertThat(peersOf(pod().controller(reference("apps/v1beta2", "ReplicaSet"))))
                .isEqualTo(LabelSelector.EVERYTHING);
        assertThat(peersOf(pod().controller(reference("apps/v1", "StatefulSet"))))
                .isEqualTo(LabelSelector.EVERYTHING);
        assertThat(peersOf(pod().controller(reference("batch/v1", "Job")))).isEqualTo(LabelSelector.EVERYTHING);
    }

    @Test
    void aControllerThatIsGoneSaysNothing() {
        replicaSet(labels("app", "web"));
        workloads.remove(WorkloadOwner.Kind.REPLICA_SET, "default/web-1");

        assertThat(peersOf(pod().controller(reference("apps/v1", "ReplicaSet"))))
                .isEqualTo(LabelSelector.EVERYTHING);
    }
}
