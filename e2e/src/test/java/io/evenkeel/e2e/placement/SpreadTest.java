package io.evenkeel.e2e.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import java.util.Map;
import org.junit.jupiter.api.Test;

@OnClusters(atEachLevel = true)
class SpreadTest {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOSTNAME = "kubernetes.io/hostname";

    @Test
    void podsSpreadOverZones(Scene scene) {
        scene.zones(3, 10);
        scene.scheduler();
        scene.pods("web", 300, """
                labels: {app: web}
                topologySpreadConstraints:
                - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
                   labelSelector: {matchLabels: {app: web}}}
                """);
        scene.awaitAllBound(300);
        assertThat(scene.spread("web", ZONE)).isEqualTo(Map.of("a", 100L, "b", 100L, "c", 100L));
    }

    @Test
    void podsSpreadOverZonesAndNodes(Scene scene) {
        // as many nodes in each: else the two may come to contradict each other
        scene.zones(2, 3);
        scene.scheduler();
        scene.pods("web", 24, """
                labels: {app: web}
                topologySpreadConstraints:
                - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
                   labelSelector: {matchLabels: {app: web}}}
                - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule,
                   labelSelector: {matchLabels: {app: web}}}
                """);
        scene.awaitAllBound(24);
        assertThat(scene.spread("web", ZONE)).isEqualTo(Map.of("a", 12L, "b", 12L));
        assertThat(scene.spread("web", HOSTNAME))
                .hasSize(6)
                .allSatisfy((_, pods) -> assertThat(pods).isEqualTo(4));
    }

    @Test
    void aNewRevisionSpreadsByItselfWhereTheKeysOfItsLabelsMatter(Scene scene) {
        scene.zone("a", "a1");
        scene.zone("b", "b1");
        scene.zone("c", "c1");
        scene.scheduler();
        scene.pods("old", 4, revision("1"));
        scene.awaitAllBound(4);
        scene.pods("new", 6, revision("2"));
        scene.awaitAllBound(10);
        assertThat(scene.spread("new", ZONE)).isEqualTo(Map.of("a", 2L, "b", 2L, "c", 2L));
    }

    private static String revision(String hash) {
        return """
                labels: {app: web, pod-template-hash: '%s'}
                topologySpreadConstraints:
                - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
                   labelSelector: {matchLabels: {app: web}}, matchLabelKeys: [pod-template-hash]}
                """.formatted(hash);
    }

    @Test
    void defaultConstraintsOfTheConfigurationSpreadWhatAServiceSelects(Scene scene) {
        scene.zone("a", "a1", "a2");
        scene.zone("b", "b1");
        scene.create("v1", "Service", "web", "spec: {selector: {app: web}, ports: [{port: 80}]}");
        scene.scheduler(scene.configuration("""
                pluginConfig:
                - name: PodTopologySpread
                  args:
                    defaultingType: List
                    defaultConstraints:
                    - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}
                """), LiveOptions.usual("e2e")).awaitSynced();
        scene.pods("web", 6, "labels: {app: web}");
        scene.awaitAllBound(6);
        assertThat(scene.spread("web", ZONE)).isEqualTo(Map.of("a", 3L, "b", 3L));
    }
}
