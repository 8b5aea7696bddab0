package io.evenkeel.world.life;

import static io.evenkeel.world.life.ClusterObjects.label;
import static io.evenkeel.world.life.ClusterObjects.name;
import static io.evenkeel.world.life.ClusterObjects.namespace;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.world.Story;
import io.evenkeel.world.play.Choices;
import java.util.List;

/** PlacementPolicies that come, change and go, and pods that they are about. */
final class Policies {
    private static final int MOST = 2;

    private static final String ZONE = "\"topologyKey\":\"topology.kubernetes.io/zone\",";
    private static final String HOSTNAME = "\"topologyKey\":\"kubernetes.io/hostname\",";

    private static final String YIELDING = ZONE + "\"maxSkew\":1,\"relaxAfterSeconds\":5";
    private static final String REMEMBERING = ZONE + "\"maxSkew\":1,\"rememberDomainsSeconds\":30";

    /** The first is the tamest. */
    private static final List<String> RULES = List.of(
            HOSTNAME + "\"maxPods\":2",
            HOSTNAME + "\"maxPods\":1",
            ZONE + "\"maxPods\":2",
            ZONE + "\"maxPercent\":60",
            ZONE + "\"maxDomains\":1",
            ZONE + "\"maxSkew\":1",
            YIELDING,
            HOSTNAME + "\"maxSkew\":1,\"relaxAfterSeconds\":10",
            REMEMBERING,
            ZONE + "\"maxSkew\":1,\"relaxAfterSeconds\":5,\"rememberDomainsSeconds\":60");

    /** Whom one policy or another may be about. */
    private static final List<Integer> SORTS = List.of(0, 0, 1, 14);

    private final HollowObjects objects;
    private final ClusterObjects cluster;
    private final Pods pods;
    private final Choices choices;
    private final Story story;

    Policies(HollowObjects objects, ClusterObjects cluster, Pods pods, Choices choices, Story story) {
        this.objects = objects;
        this.cluster = cluster;
        this.pods = pods;
        this.choices = choices;
        this.story = story;
    }

    /** Somebody does something. */
    void step() {
        List<JsonObject> there = cluster.all(ResourceTable.PLACEMENT_POLICIES);
        switch (choices.below(8)) {
            case 1, 2 -> {
                if (there.size() < MOST) {
                    create(choices.from(SORTS), choices.from(RULES));
                }
            }
            case 3 -> {
                if (!there.isEmpty()) {
                    change(choices.from(there), choices.from(RULES));
                }
            }
            case 4 -> {
                if (!there.isEmpty()) {
                    end(choices.from(there));
                }
            }
            case 5 -> lose(choices.oneIn(2));
            default -> pods.createSeveral(choices.from(SORTS));
        }
    }

    /** A zone takes no pods any more, or has no nodes, just when pods come that are to be spread over it. */
    private void lose(boolean altogether) {
        List<JsonObject> nodes = cluster.all(ResourceTable.NODES);
        List<JsonObject> there = cluster.all(ResourceTable.PLACEMENT_POLICIES);
        if (nodes.isEmpty()) {
            return;
        }
        int sort = choices.from(SORTS);
        String rule = altogether ? REMEMBERING : YIELDING;
        if (there.size() < MOST) {
            create(sort, rule);
        } else {
            change(choices.from(there), rule);
        }
        String zone = zone(choices.from(nodes));
        story.tell("life", zone + (altogether ? " loses its nodes" : " is cordoned"));
        for (JsonObject node : nodes) {
            if (zone(node).equals(zone) && altogether) {
                objects.delete(ResourceTable.NODES, "", name(node));
            } else if (zone(node).equals(zone)) {
                objects.patch(ResourceTable.NODES, "", name(node), "{\"spec\":{\"unschedulable\":true}}");
            }
        }
        pods.createSeveral(sort);
    }

    private static String zone(JsonObject node) {
        return label(node, "topology.kubernetes.io/zone");
    }

    private void create(int sort, String rule) {
        String name = "policy-" + cluster.number();
        String app = Templates.app(sort);
        story.tell("life", "creates " + name + " of " + app + ": " + rule);
        objects.create("""
            {"kind":"PlacementPolicy","apiVersion":"evenkeel.io/v1alpha1","metadata":{"name":"%s","namespace":"default"},\
            "spec":{"selector":{"matchLabels":{"app":"%s"}},"rules":[{%s}]}}\
            """.formatted(name, app, rule));
    }

    private void change(JsonObject policy, String rule) {
        story.tell("life", "changes " + name(policy) + " to " + rule);
        objects.patch(
                ResourceTable.PLACEMENT_POLICIES,
                namespace(policy),
                name(policy),
                "{\"spec\":{\"rules\":[{" + rule + "}]}}");
    }

    private void end(JsonObject policy) {
        story.tell("life", "deletes " + name(policy));
        objects.deleteNow(ResourceTable.PLACEMENT_POLICIES, namespace(policy), name(policy));
    }
}
