package io.evenkeel.world.life;

import static io.evenkeel.world.life.ClusterObjects.isPlaced;
import static io.evenkeel.world.life.ClusterObjects.label;
import static io.evenkeel.world.life.ClusterObjects.name;
import static io.evenkeel.world.life.ClusterObjects.namespace;
import static io.evenkeel.world.life.ClusterObjects.text;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import io.evenkeel.world.Story;
import io.evenkeel.world.play.Choices;
import java.util.List;

/**
 * PodDisruptionBudgets, and the controller that counts them: now and then, so that one may be used up by who goes before that
 * is said. With them come pods of a priority between the others', for which some go and which go for some.
 */
final class Budgets {
    private static final int MOST = 3;

    private final HollowObjects objects;
    private final ClusterObjects cluster;
    private final Pods pods;
    private final Choices choices;
    private final Story story;

    Budgets(HollowObjects objects, ClusterObjects cluster, Pods pods, Choices choices, Story story) {
        this.objects = objects;
        this.cluster = cluster;
        this.pods = pods;
        this.choices = choices;
        this.story = story;
    }

    /** Somebody does something about budgets, or to those whom they protect. */
    void step() {
        switch (choices.below(10)) {
            case 1, 2, 3 -> create();
            case 4 -> end();
            case 5, 6 -> pods.createMiddling();
            case 7 -> pods.createImportant();
            case 8, 9 -> pods.fill();
            default -> count();
        }
    }

    private void create() {
        if (all().size() < MOST) {
            String name = "budget-" + cluster.number();
            String app = Templates.app(choices.from(Templates.FILLING));
            int unavailable = choices.below(3);
            story.tell("life", "creates " + name + ": of " + app + " may " + unavailable + " be missing");
            objects.create("""
                {"kind":"PodDisruptionBudget","apiVersion":"policy/v1","metadata":{"name":"%s","namespace":"default"},\
                "spec":{"maxUnavailable":%d,"selector":{"matchLabels":{"app":"%s"}}}}\
                """.formatted(name, unavailable, app));
            count();
        }
    }

    private void end() {
        List<JsonObject> there = all();
        if (!there.isEmpty()) {
            JsonObject budget = choices.from(there);
            story.tell("life", "deletes " + name(budget));
            objects.deleteNow(ResourceTable.DISRUPTION_BUDGETS, namespace(budget), name(budget));
        }
    }

    /** Their controller says how many may be disturbed, by the pods that there are: those on no node, or on their way out, are missing. */
    void count() {
        for (JsonObject budget : all()) {
            String app = Trees.text(budget, "spec", "selector", "matchLabels", "app");
            List<JsonObject> its = cluster.pods(pod -> namespace(pod).equals(namespace(budget))
                    && label(pod, "app").equals(app));
            long missing = its.stream()
                    .filter(pod ->
                            !isPlaced(pod) || pod.getAsJsonObject("metadata").has("deletionTimestamp"))
                    .count();
            long allowed =
                    Math.max(0, Trees.number(budget, "spec", "maxUnavailable").orElse(0L) - missing);
            if (!text(budget, "status", "disruptionsAllowed").equals(Long.toString(allowed))) {
                story.tell("controller", name(budget) + " allows " + allowed + " to be disturbed");
                objects.patchStatus(ResourceTable.DISRUPTION_BUDGETS, namespace(budget), name(budget), """
                    {"status":{"disruptionsAllowed":%d,"currentHealthy":%d,"desiredHealthy":0,"expectedPods":%d}}\
                    """.formatted(
                                allowed, its.size() - missing, its.size()));
            }
        }
    }

    private List<JsonObject> all() {
        return cluster.all(ResourceTable.DISRUPTION_BUDGETS);
    }
}
