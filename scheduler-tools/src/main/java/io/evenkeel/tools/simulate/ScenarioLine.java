package io.evenkeel.tools.simulate;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationWriter;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.tools.simulate.Outcome.Decided;
import io.evenkeel.tools.simulate.cluster.ChangedCluster;
import java.util.HashMap;
import java.util.Map;

/** A simulation as a scenario that replay takes: the changed cluster, and the pods in the order in which they were decided. */
public final class ScenarioLine {
    private ScenarioLine() {}

    public static String of(
            String name, ChangedCluster cluster, Outcome outcome, SchedulerConfiguration configuration, Kinds kinds) {
        ObjectWriter writer = new ObjectWriter(kinds);
        Map<String, Verdict> verdicts = new HashMap<>();
        for (Decided decided : outcome.pods()) {
            verdicts.put(decided.arrival().pod().key(), decided.verdict());
        }
        return JsonText.object(json -> {
            json.writeStringField("name", name);
            json.writeFieldName("config");
            json.writeRawValue(new ConfigurationWriter().writeJson(configuration));
            json.writeObjectFieldStart("featureGates");
            for (Map.Entry<String, Boolean> gate :
                    configuration.featureGates().set().entrySet()) {
                json.writeBooleanField(gate.getKey(), gate.getValue());
            }
            json.writeEndObject();
            json.writeArrayFieldStart("objects");
            for (KubernetesObject object : cluster.picture().all()) {
                if (!(object instanceof UnreadObject)) {
                    json.writeRawValue(writer.json(object));
                }
            }
            json.writeEndArray();
            json.writeArrayFieldStart("pods");
            for (Pod pod : outcome.inOrder()) {
                json.writeRawValue(writer.json(pod));
            }
            json.writeEndArray();
            json.writeObjectFieldStart("expected");
            for (Pod pod : outcome.inOrder()) {
                String node = Answer.node(verdicts.getOrDefault(pod.key(), new Verdict.Waits("")))
                        .orElse("");
                json.writeStringField(pod.key(), node);
            }
            json.writeEndObject();
        });
    }
}
