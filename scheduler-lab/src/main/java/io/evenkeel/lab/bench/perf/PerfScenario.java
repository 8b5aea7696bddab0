package io.evenkeel.lab.bench.perf;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.Residents;
import io.evenkeel.lab.bench.Scenario;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;

/** A case of the reference's, with residents where the engine has put them. */
public record PerfScenario(PerfCase perfCase, PluginRegistry registry) implements Scenario {
    @Override
    public long seed() {
        return perfCase.seed();
    }

    @Override
    public List<KubernetesObject> objects() {
        List<KubernetesObject> cluster = PerfCluster.objects(perfCase);
        List<KubernetesObject> objects = new ArrayList<>(cluster);
        objects.addAll(Residents.placed(cluster, PerfPods.residents(perfCase), perfCase.seed(), registry));
        return objects;
    }

    @Override
    public List<Pod> newcomers() {
        return PerfPods.newcomers(perfCase);
    }

    @Override
    public List<Pod> knownBefore() {
        return List.of();
    }

    @Override
    public Scenario smaller(int mostNodes, int mostNewcomers) {
        return new PerfScenario(perfCase.smaller(mostNodes, mostNewcomers), registry);
    }
}
