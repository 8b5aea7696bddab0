package io.evenkeel.world.life;

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
import java.util.Optional;

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

    /** Many of these fit. */
    private static final int SMALL = 8;

    /** Whom one policy or another may be about. */
    private static final List<Integer> SORTS = List.of(0, 0, 1, 14, SMALL);

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
        switch (choices.below(10)) {
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
            case 5, 6 -> close();
            case 7, 8 -> lose();
            default -> pods.createSeveral(choices.from(SORTS));
        }
    }

    /** A zone takes no pods any more, and then pods come that wait for it, until their policy yields. */
    private void close() {
        having(YIELDING);
        boolean isClosed = cluster.all(ResourceTable.NODES).stream()
                .anyMatch(node -> text(node, "spec", "unschedulable").equals("true"));
        if (isClosed) {
            pods.createSeveral(SMALL);
            pods.createSeveral(SMALL);
        } else {
            cluster.someNode(any -> {
                story.tell("life", "cordons " + zone(any));
                nodesIn(zone(any))
                        .forEach(node -> objects.patch(
                                ResourceTable.NODES, "", name(node), "{\"spec\":{\"unschedulable\":true}}"));
            });
        }
    }

    /** A zone loses its nodes that a policy remembers, just when its pods come. */
    private void lose() {
        JsonObject policy = having(REMEMBERING);
        List<String> remembered = Trees.objects(policy, "status", "remembered").stream()
                .map(each -> Trees.text(each, "domain"))
                .toList();
        if (!remembered.isEmpty()) {
            String zone = choices.from(remembered);
            story.tell("life", zone + " loses its nodes");
            nodesIn(zone).forEach(node -> objects.delete(ResourceTable.NODES, "", name(node)));
        }
        pods.createSeveral(SMALL);
    }

    /** Such a policy of pods of which many fit, in the place of another where there are enough. */
    private JsonObject having(String rule) {
        List<JsonObject> there = cluster.all(ResourceTable.PLACEMENT_POLICIES);
        Optional<JsonObject> one = there.stream()
                .filter(policy -> policy.getAsJsonObject("spec").toString().contains(rule)
                        && Trees.text(policy, "spec", "selector", "matchLabels", "app")
                                .equals(Templates.app(SMALL)))
                .findFirst();
        if (one.isEmpty() && there.size() == MOST) {
            end(choices.from(there));
        }
        return one.orElseGet(() -> create(SMALL, rule));
    }

    private List<JsonObject> nodesIn(String zone) {
        return cluster.all(ResourceTable.NODES).stream()
                .filter(node -> zone(node).equals(zone))
                .toList();
    }

    private static String zone(JsonObject node) {
        return label(node, "topology.kubernetes.io/zone");
    }

    private JsonObject create(int sort, String rule) {
        String name = "policy-" + cluster.number();
        String app = Templates.app(sort);
        story.tell("life", "creates " + name + " of " + app + ": " + rule);
        String policy = """
            {"kind":"PlacementPolicy","apiVersion":"evenkeel.io/v1alpha1","metadata":{"name":"%s","namespace":"default"},\
            "spec":{"selector":{"matchLabels":{"app":"%s"}},"rules":[{%s}]}}\
            """.formatted(name, app, rule);
        objects.create(policy);
        return Trees.parse(policy);
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
