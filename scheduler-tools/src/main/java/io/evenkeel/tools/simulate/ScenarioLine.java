package io.evenkeel.tools.simulate;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationWriter;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.simulate.Outcome.Decided;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A simulation as a scenario that replay takes: the changed cluster, and the pods in the order in which they were decided. */
final class ScenarioLine {
    private ScenarioLine() {}

    static String of(
            String name, ChangedCluster cluster, Outcome outcome, SchedulerConfiguration configuration, Kinds kinds) {
        ObjectWriter writer = new ObjectWriter(kinds);
        Map<String, Verdict> verdicts = new HashMap<>();
        for (Decided decided : outcome.pods()) {
            verdicts.put(decided.arrival().pod().key(), decided.verdict());
        }
        Tree gates = new Tree();
        configuration.featureGates().set().forEach(gates::put);
        Tree expected = new Tree();
        outcome.inOrder()
                .forEach(pod -> expected.put(
                        pod.key(),
                        Answer.node(verdicts.getOrDefault(pod.key(), new Verdict.Waits("")))
                                .orElse("")));
        return new Tree()
                .put("name", name)
                .put("config", new Tree.Raw(new ConfigurationWriter().writeJson(configuration)))
                .put("featureGates", gates)
                .put("objects", read(cluster), object -> new Tree.Raw(writer.json(object)))
                .put("pods", outcome.inOrder(), pod -> new Tree.Raw(writer.json(pod)))
                .put("expected", expected)
                .json();
    }

    private static List<KubernetesObject> read(ChangedCluster cluster) {
        return cluster.picture().all().stream()
                .filter(object -> !(object instanceof UnreadObject))
                .toList();
    }
}
