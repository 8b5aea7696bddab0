package io.evenkeel.tools.simulate.workload;

import com.google.gson.JsonObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.PodAdmission;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The API server's changes to a new pod, by the PriorityClasses of a cluster. */
public final class Admission {
    /** Classes that every cluster has. */
    private static final List<PriorityClass> BUILT_IN = List.of(
            new PriorityClass(ObjectMeta.named("", "system-cluster-critical"), 2_000_000_000, false, true),
            new PriorityClass(ObjectMeta.named("", "system-node-critical"), 2_000_001_000, false, true));

    private final List<PriorityClass> classes;

    public Admission(Collection<PriorityClass> classes) {
        this.classes = new ArrayList<>(classes);
        this.classes.addAll(BUILT_IN);
    }

    /** @param path of the pod's spec in the manifest */
    void admit(JsonObject pod, Manifest manifest, String path) {
        JsonObject spec = Trees.ensureObject(pod, "spec");
        PodAdmission.fill(spec);
        Trees.object(spec, "resources").ifPresent(PodAdmission::requestLimits);
        PodAdmission.tolerateFailures(spec);
        String named = Trees.text(spec, "priorityClassName");
        Optional<PriorityClass> its = PodAdmission.priorityClass(spec, classes);
        if (its.isEmpty() && !named.isEmpty()) {
            throw manifest.mistake(path + ".priorityClassName", "there is no PriorityClass \"" + named + "\"");
        }
        if (its.isPresent()) { // else a priority stays that the manifest gives
            PodAdmission.assign(spec, its);
        }
        PodAdmission.mergeLabelKeys(pod);
    }
}
