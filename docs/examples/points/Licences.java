package com.example;

import io.evenkeel.api.Cluster;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginContext;
import io.evenkeel.api.Preparation;
import io.evenkeel.api.PreparingPlugin;
import io.evenkeel.model.kind.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Has a licence granted for the node before its pod is bound. */
public final class Licences implements PreparingPlugin {
    private final Cluster cluster;

    public Licences(PluginContext context) {
        cluster = context.cluster();
    }

    @Override
    public String name() {
        return "Licences";
    }

    @Override
    public Set<Kind<?>> reads() {
        return Set.of(Licence.KIND);
    }

    @Override
    public Optional<Preparation> prepare(CycleState state, PendingPod pod, String nodeName) {
        String name = pod.pod().labels().getOrDefault("licence", "");
        return cluster.find(Licence.KIND, name).map(licence -> new Grant(cluster, licence, nodeName));
    }

    record Grant(Cluster cluster, Licence licence, String node) implements Preparation {
        @Override
        public List<ObjectPatch> writes() {
            return List.of(new ObjectPatch(Licence.KIND, licence.meta(), Map.of("spec", Map.of("node", node))));
        }

        @Override
        public Progress progress() {
            String key = licence.meta().key();
            Optional<Licence> now = cluster.find(Licence.KIND, key);
            if (now.isEmpty()) {
                return new Progress.Failed("licence \"" + key + "\" is gone");
            }
            return now.get().grantedFor().equals(node)
                    ? Progress.DONE
                    : new Progress.Waiting(Set.of(new ObjectName("Licence", key)));
        }

        @Override
        public Duration timeLimit() {
            return Duration.ofMinutes(1);
        }

        @Override
        public String lateness() {
            return "licence \"" + licence.meta().key() + "\" was not granted in time";
        }
    }
}
