package io.evenkeel.app.simulate.workload;

import com.google.gson.JsonObject;
import io.evenkeel.app.simulate.manifest.Manifest;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** The pods of a Job that run at once: those after them come when these have finished, and no time passes here. */
final class JobPods {
    private static final String PREFIX = "batch.kubernetes.io/";
    private static final String INDEX = PREFIX + "job-completion-index";

    private final ManifestReader reader;
    private final Consumer<String> remarks;

    JobPods(ManifestReader reader, Consumer<String> remarks) {
        this.reader = reader;
        this.remarks = remarks;
    }

    /** @param asked how many at once, where that is not what the manifest says */
    Made of(Manifest manifest, Workload workload, OptionalInt asked) {
        JsonObject spec = manifest.required("spec");
        PodTemplate template = PodTemplate.of(manifest);
        int parallelism =
                asked.orElse(manifest.count("parallelism", Expansions.MOST_PODS).orElse(1));
        OptionalInt completions = manifest.count("completions", Integer.MAX_VALUE);
        int atOnce = Math.min(parallelism, completions.orElse(parallelism));
        if ("true".equals(Manifest.text(spec, "suspend"))) {
            remarks.accept(manifest.title() + " is suspended and has no pods");
            atOnce = 0;
        } else if (completions.isPresent() && completions.getAsInt() > atOnce) {
            remarks.accept(manifest.title() + ": " + atOnce + " of its " + completions.getAsInt()
                    + " pods run at once; those after them come as these finish, and are not placed here");
        }
        boolean indexed = "Indexed".equals(Manifest.text(spec, "completionMode"));
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < atOnce; i++) {
            String base = manifest.name() + "-" + (indexed ? i + "-" : "");
            Map<String, String> labels = new HashMap<>(labels(manifest.name(), template.uid()));
            if (indexed) {
                labels.put(INDEX, Integer.toString(i));
            }
            pods.add(reader.pod(template.pod(Letters.name(base, i), labels), manifest, PodTemplate.PATH));
        }
        return new Made(workload, List.of(), pods, false);
    }

    private static Map<String, String> labels(String name, String uid) {
        String value = Letters.wordFor(uid);
        return Map.of(
                "job-name", name, PREFIX + "job-name", name, "controller-uid", value, PREFIX + "controller-uid", value);
    }
}
