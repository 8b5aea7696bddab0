package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Output;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The stories of the documents, explained word for word. */
class WhyTextTest {
    private static final int COLUMNS = 100;

    @Test
    void aConflictOfTwoConstraints() throws IOException {
        assertThat(why("seeds/docs/conflict")).isEqualTo("""
            seeds/docs/conflict: default/mypod waits: 0/3 nodes are available: 3 node(s) didn't match pod
              topology spread constraints.

            Nodes
                                      3  ████████████████████
              PodTopologySpread       0
                −3  node(s) didn't match pod topology spread constraints

            What is counted
              PodTopologySpread: maxSkew 1 over zone, pods foo=bar: the fewest are 2
                zoneA: 3 + 1 − 2 = 2, more than maxSkew 1
                zoneB: 2 + 1 − 2 = 1, allowed
              PodTopologySpread: maxSkew 1 over node, pods foo=bar: the fewest are 1
                node1: 2 + 1 − 1 = 2, more than maxSkew 1
                node2: 1 + 1 − 1 = 1, allowed
                node3: 2 + 1 − 1 = 2, more than maxSkew 1

            The nearest nodes
              node2: PodTopologySpread: maxSkew 2 instead of 1 over zone
              node3: PodTopologySpread: maxSkew 2 instead of 1 over node
              node1: PodTopologySpread: maxSkew 2 instead of 1 over zone, and maxSkew 2 instead of 1 over node

            What would help
              one more node like node2 with zone=zoneB → goes to node2-copy
              maxSkew 2 instead of 1 over zone → goes to node2
              spread over zone with ScheduleAnyway instead of DoNotSchedule → goes to node2

            What would not
              one more node like node1: PodTopologySpread: node(s) didn't match pod topology spread constraints

            What it waits for
              PodTopologySpread: a pod on a node comes, goes, is told to go or has other labels; a node is
                added, goes, has other labels or has other taints; a ReplicaSet, a ReplicationController, a
                Service or a StatefulSet is added, goes or changes; the pod itself changes otherwise, has other
                labels or has other tolerations

            """);
    }

    @Test
    void fewerDomainsThanAreAskedFor() throws IOException {
        assertThat(why("seeds/blog/min-domains-5-on-3-nodes"))
                .contains("""
                      PodTopologySpread: maxSkew 1 over kubernetes.io/hostname, minDomains 5 of 3 there are, pods
                        foo=bar: the fewest are 0
                        node0: 1 + 1 − 0 = 2, more than maxSkew 1
                    """)
                .contains("""
                    What would help
                      one more node like node0 → goes to node2
                      maxSkew 2 instead of 1 over kubernetes.io/hostname → goes to node0
                      minDomains 3 instead of 5 over kubernetes.io/hostname → goes to node0
                      spread over kubernetes.io/hostname with ScheduleAnyway instead of DoNotSchedule → goes to node0
                    """)
                // the fourth and the fifth pod
                .contains("""
                      2 more nodes like node0 → goes to node2

                    What would not
                      one more node like node0: pods that come before take the room
                    """);
    }

    @Test
    void aDomainThatATaintKeepsEmpty() throws IOException {
        assertThat(why("seeds/blog/taints-Ignore")).contains("""
              TaintToleration         1  ██████████
                −1  node(s) had untolerated taint(s)
              PodTopologySpread       0
                −1  node(s) didn't match pod topology spread constraints

            What is counted
              TaintToleration: taint dedicated=x:NoSchedule, not tolerated: 1 of 2 nodes
              PodTopologySpread: maxSkew 1 over kubernetes.io/hostname, pods foo=bar: the fewest are 0
                node1: 1 + 1 − 0 = 2, more than maxSkew 1
                node2: 0 + 1 − 0 = 1, allowed
            """).contains("""
                          toleration of taint dedicated=x:NoSchedule → goes to node2
                          node node2 without taint dedicated=x:NoSchedule → goes to node2
                          maxSkew 2 instead of 1 over kubernetes.io/hostname → goes to node1
                          nodeTaintsPolicy Honor instead of Ignore over kubernetes.io/hostname → goes to node1
                        """);
    }

    @Test
    void theLastPodOfARedis() throws IOException {
        assertThat(why("seeds/redis/deadlock-host-skew-1")).contains("""
            The nearest nodes
              node5: InterPodAffinity: pod default/pod2-0 gone from node node6
              node1: PodTopologySpread: maxSkew 2 instead of 1 over kubernetes.io/hostname
              node2: PodTopologySpread: maxSkew 2 instead of 1 over kubernetes.io/hostname
              node3: PodTopologySpread: maxSkew 2 instead of 1 over kubernetes.io/hostname
              node4: PodTopologySpread: maxSkew 2 instead of 1 over kubernetes.io/hostname
              node6: PodTopologySpread, InterPodAffinity: maxSkew 2 instead of 1 over kubernetes.io/hostname,
                and pod default/pod2-0 gone from node node6

            What would help
              one more node like node1 → goes to node1-copy
              maxSkew 2 instead of 1 over kubernetes.io/hostname → goes to node1
              spread over kubernetes.io/hostname with ScheduleAnyway instead of DoNotSchedule → goes to node1
              pod default/pod2-0 gone from node node6 → goes to node5
            """);
    }

    @Test
    void ofAPodThatFindsANodeNoneIsSaidToWait() {
        assertThatThrownBy(() -> why("seeds/docs/one-constraint")).hasMessage("standard input: no pod waits");
    }

    private static String why(String scenario) throws IOException {
        String line = Corpora.lines("seeds").stream()
                .filter(each -> each.contains('"' + scenario + '"'))
                .findFirst()
                .orElseThrow();
        StringWriter out = new StringWriter();
        boolean all = Replay.asking(InTreePlugins.registry(), FeatureGates.DEFAULTS, Output.WIDE.within(COLUMNS))
                .run(
                        ScenarioSource.standardInput(new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8))),
                        new PrintWriter(out),
                        problem -> {
                            throw new AssertionError(problem);
                        });
        assertThat(all).isTrue();
        return out.toString();
    }
}
