package io.evenkeel.tools.observe;

import static io.evenkeel.tools.observe.ObservedCluster.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.why.UsualProfiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two zones, and pods that are spread over them. */
class LastBindingsTest {
    private static final String SCHEDULED =
            "'conditions':[{'type':'PodScheduled','status':'True','lastTransitionTime':'2026-11-28T10:00:00Z'}]";

    private final List<KubernetesObject> objects = new ArrayList<>(List.of(
            node("n1", "a").build(), node("n2", "a").build(), node("n3", "b").build()));

    private void pod(String name, String node, String cpu, String status) {
        objects.add(
                new ObjectReader().read("""
                {'kind':'Pod','apiVersion':'v1','metadata':{'name':'%1$s','namespace':'shop','uid':'%1$s','labels':{'app':'web'},
                 'ownerReferences':[{'apiVersion':'apps/v1','kind':'StatefulSet','name':'web','uid':'w','controller':true}]},
                 'spec':{'nodeName':'%2$s','topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'topology.kubernetes.io/zone',
                 'whenUnsatisfiable':'ScheduleAnyway','labelSelector':{'matchLabels':{'app':'web'}}}],
                 'containers':[{'name':'main','resources':{'requests':{'cpu':'%3$s'}}}]},'status':{%4$s}}
                """.formatted(name, node, cpu, status).replace('\'', '"')));
    }

    private LastBindings bindings() {
        ClusterOnce cluster = new ClusterOnce(UsualProfiles.CONFIGURATION, InTreePlugins.registry());
        cluster.tell(objects);
        return cluster.found().bindings();
    }

    @Test
    void whatWouldGoElsewhereInItsZoneIsSpreadNoBetter() {
        pod("web-0", "n1", "7", SCHEDULED);
        pod("web-1", "n1", "500m", SCHEDULED);
        pod("web-2", "n3", "7", SCHEDULED);
        pod("web-3", "n3", "500m", SCHEDULED);

        assertThat(bindings().tried()).isEqualTo(4);
        assertThat(bindings().better()).isEmpty();
        assertThat(bindings().sentence())
                .hasValue("Of the last 4 bindings of pods with spread constraints, none would go to a node that"
                        + " spreads them better now, each tried by itself");
    }

    @Test
    void whatWasBoundAtNoKnownTimeIsNotTried() {
        pod("web-0", "n1", "1", "");
        pod("web-1", "n1", "1", "");

        assertThat(bindings()).isEqualTo(new LastBindings(0, List.of()));
        assertThat(bindings().sentence()).isEqualTo(Optional.empty());
    }
}
