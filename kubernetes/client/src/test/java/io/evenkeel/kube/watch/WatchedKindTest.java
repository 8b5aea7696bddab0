package io.evenkeel.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.plugins.InTreePlugins;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WatchedKindTest {
    /** What the ClusterRole system:kube-scheduler lets be listed and watched, of what Evenkeel has a reader for. */
    private static final Set<String> KUBE_SCHEDULERS = Set.of(
            "/api/v1/nodes",
            "/api/v1/pods",
            "/api/v1/namespaces",
            "/api/v1/services",
            "/api/v1/replicationcontrollers",
            "/apis/apps/v1/replicasets",
            "/apis/apps/v1/statefulsets",
            "/apis/policy/v1/poddisruptionbudgets",
            "/api/v1/persistentvolumeclaims",
            "/api/v1/persistentvolumes",
            "/apis/storage.k8s.io/v1/storageclasses",
            "/apis/storage.k8s.io/v1/csinodes",
            "/apis/storage.k8s.io/v1/csidrivers",
            "/apis/storage.k8s.io/v1/csistoragecapacities",
            "/apis/storage.k8s.io/v1/volumeattachments",
            "/apis/resource.k8s.io/v1/deviceclasses",
            "/apis/resource.k8s.io/v1/resourceslices",
            "/apis/resource.k8s.io/v1/resourceclaims");

    private static final String NO_VOLUMES_OR_DEVICES =
            "{name: VolumeRestrictions}, {name: NodeVolumeLimits}, {name: VolumeBinding}, {name: VolumeZone},"
                    + " {name: DynamicResources}";

    @Test
    void kubeSchedulersOwnRoleLetsAllBeWatched() {
        assertThat(watched("")).extracting(Kind::path).isSubsetOf(KUBE_SCHEDULERS);
    }

    @Test
    void defaultSpreadingNeedsServicesAndControllers() {
        assertThat(watched("profiles: [{plugins: {multiPoint: {disabled: [" + NO_VOLUMES_OR_DEVICES + "]}}}]"))
                .extracting(Kind::name)
                .containsExactly(
                        "Node",
                        "Namespace",
                        "PodDisruptionBudget",
                        "Service",
                        "ReplicationController",
                        "ReplicaSet",
                        "StatefulSet",
                        "DeviceClass",
                        "Pod");
    }

    @Test
    void whatNoPluginReadsIsNotWatched() {
        assertThat(watched("""
            profiles:
            - plugins: {multiPoint: {disabled: [%s]}}
              pluginConfig:
              - name: PodTopologySpread
                args: {defaultingType: List}
            """.formatted(NO_VOLUMES_OR_DEVICES)))
                .extracting(Kind::name)
                .containsExactly("Node", "Namespace", "PodDisruptionBudget", "DeviceClass", "Pod");
        assertThat(watched("""
            profiles:
            - plugins: {multiPoint: {disabled: [{name: PodTopologySpread}, {name: DefaultPreemption}, %s]}}
            """.formatted(NO_VOLUMES_OR_DEVICES)))
                .extracting(Kind::name)
                .containsExactly("Node", "Namespace", "DeviceClass", "Pod");
    }

    @Test
    void eachPluginForVolumesReadsWhatItNeeds() {
        assertThat(watched("""
            profiles:
            - plugins:
                multiPoint: {disabled: [{name: "*"}], enabled: [{name: PrioritySort}, {name: VolumeZone}, {name: DefaultBinder}]}
            """))
                .extracting(Kind::name)
                .containsExactly(
                        "Node", "Namespace", "StorageClass", "PersistentVolume", "PersistentVolumeClaim", "Pod");
        assertThat(watched(""))
                .extracting(Kind::name)
                .contains("CSINode", "CSIDriver", "CSIStorageCapacity", "VolumeAttachment");
    }

    @Test
    void devicesAreWatchedForTheirPlugin() {
        assertThat(watched(""))
                .extracting(Kind::name)
                .contains("DeviceClass", "ResourceSlice", "ResourceClaim")
                .doesNotContain("DeviceTaintRule");
    }

    @Test
    void whatAnyProfileReadsIsWatched() {
        assertThat(watched("""
            profiles:
            - schedulerName: spreads
            - schedulerName: packs
              plugins: {multiPoint: {disabled: [{name: PodTopologySpread}]}}
            """)).extracting(Kind::name).contains("Service");
    }

    private static List<Kind<?>> watched(String configuration) {
        return new Engine(
                        new ConfigurationReader().read("test", """
                            apiVersion: kubescheduler.config.k8s.io/v1
                            kind: KubeSchedulerConfiguration
                            """ + configuration),
                        InTreePlugins.registry(),
                        new FirstByName(),
                        SchedulingCycle.Scoring.WHEN_NEEDED)
                .watchedKinds();
    }
}
