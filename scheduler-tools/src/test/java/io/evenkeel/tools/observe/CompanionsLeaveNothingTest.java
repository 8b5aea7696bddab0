package io.evenkeel.tools.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.Times;
import io.evenkeel.app.companion.WatchedScheduler;
import io.evenkeel.census.Census;
import io.evenkeel.kube.patch.PatchSink.PatchObserver.End;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.policies.scaledown.ScaleDown;
import io.evenkeel.policies.status.PolicyObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever comes and goes in ever new namespaces: companions keep nothing of it, nor do their metrics. */
class CompanionsLeaveNothingTest {
    private static final int NAMESPACES = 100;

    /** A thousand namespaces in which pods have waited are kept. */
    private static final int OF_WAITING = 5;

    private static final List<String> OF_A_NAMESPACE = List.of(
            "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'NS','uid':'uid-NS'}}",
            "{'apiVersion':'v1','kind':'Service','metadata':{'namespace':'NS','name':'svc-NS'},'spec':{'selector':{'app':'web'}}}",
            "{'apiVersion':'evenkeel.io/v1alpha1','kind':'PlacementPolicy','metadata':{'namespace':'NS','name':'p-NS','uid':'p-NS'},"
                    + "'spec':{'selector':{'matchLabels':{'app':'web'}},'podDeletionCost':'Managed',"
                    + "'rules':[{'topologyKey':'topology.kubernetes.io/zone','maxSkew':1,'rememberDomainsSeconds':60}]}}",
            "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'NS','name':'waits-NS','uid':'w-NS','labels':{'app':'web','one':'NS'}},"
                    + "'spec':{'nodeSelector':{'none':'there'},'containers':[{'name':'a'}]}}",
            "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'NS','name':'clashes-NS','uid':'c-NS','labels':{'app':'web'},"
                    + "'annotations':{'controller.kubernetes.io/pod-deletion-cost':'7'},"
                    + "'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'rs-NS','uid':'rs-NS','controller':true}]},"
                    + "'spec':{'nodeName':'node-a','containers':[{'name':'a'}]},"
                    + "'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}",
            "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'NS','name':'is-there-NS','uid':'t-NS','labels':{'app':'web'},"
                    + "'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'rs-NS','uid':'rs-NS','controller':true}]},"
                    + "'spec':{'nodeName':'node-a','containers':[{'name':'a'}],'topologySpreadConstraints':[{'maxSkew':1,"
                    + "'topologyKey':'topology.kubernetes.io/zone','whenUnsatisfiable':'ScheduleAnyway',"
                    + "'labelSelector':{'matchLabels':{'app':'web'}}}]},"
                    + "'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}");

    private final WatchedScheduler watched = new WatchedScheduler(WatchedScheduler.WITH_POLICIES);
    private final ObjectReader reader = new ObjectReader();
    private int made;

    @Test
    void ofPolicies() {
        leavesNothing(
                PolicyObserver.of(
                                watched.configuration(),
                                new Times(watched::nanos, watched::wall, Duration.ofSeconds(10)))
                        .orElseThrow(),
                OF_WAITING);
    }

    @Test
    void ofSpreads() {
        leavesNothing(
                new SpreadObserver(
                        watched.configuration(), new Times(watched::nanos, watched::wall, Duration.ofSeconds(10))),
                0);
    }

    @Test
    void ofDeletionCosts() {
        leavesNothing(new ScaleDown("evenkeel", watched::nanos), 0);
    }

    private void leavesNothing(Companion companion, int keptOfANamespace) {
        watched.begin(companion);
        watched.relist(List.of());
        for (String zone : List.of("a", "b")) {
            watched.put(NodeBuilder.node("node-" + zone).zone(zone).build());
        }
        for (int i = 0; i < 3; i++) { // until 256 idle shapes of pods are kept
            comeAndGo(companion);
        }
        Census before = Census.of(companion, watched.scheduler());
        comeAndGo(companion);
        Census after = Census.of(companion, watched.scheduler());
        assertThat(after.moreSince(before))
                .as("%s", after.since(before))
                .isLessThan((keptOfANamespace + 1) * NAMESPACES);
    }

    /** All is there for a while, and written of, and gone for longer than anything is remembered. */
    private void comeAndGo(Companion companion) {
        List<KubernetesObject> objects = new ArrayList<>();
        for (int i = 0; i < NAMESPACES; i++) {
            String namespace = "ns-" + made++;
            for (String object : OF_A_NAMESPACE) {
                objects.add(reader.read(object.replace('\'', '"').replace("NS", namespace)));
            }
        }
        objects.forEach(watched::put);
        pass(60);
        assertThat(companion.metrics().read()).isNotEmpty();
        objects.reversed().forEach(watched::remove);
        pass(600);
        watched.events().clear();
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            watched.turn(Duration.ofSeconds(1));
            List.copyOf(watched.patches()).forEach(patch -> watched.writer().ended(patch, End.WRITTEN, ""));
            watched.patches().clear();
        }
    }
}
