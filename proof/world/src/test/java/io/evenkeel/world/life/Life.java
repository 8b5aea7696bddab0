package io.evenkeel.world.life;

import static io.evenkeel.world.life.ClusterObjects.isPlaced;
import static io.evenkeel.world.life.ClusterObjects.label;
import static io.evenkeel.world.life.ClusterObjects.name;
import static io.evenkeel.world.life.ClusterObjects.namespace;
import static io.evenkeel.world.life.ClusterObjects.text;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.world.Story;
import io.evenkeel.world.play.Choices;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * All that lives in the cluster beside the scheduler: users, controllers, kubelets, an autoscaler, and a scheduler of
 * somebody else's. They write to the log directly, as how they get there is not what is tried. Here is who does something
 * when; {@link Pods} and {@link Nodes} say what.
 */
public final class Life {
    /** Of the pods that go first; most others have none. */
    public static final int HIGHEST_PRIORITY = 1_000;

    /** What some pods ask for where there is an extender, which looks after it. */
    public static final String PART = "example.com/part";

    /** What some pods ask for that stands for devices. */
    public static final String GPU = "example.com/gpu";

    /** The label that nodes are parted by, where a label's values do that. */
    public static final String POOL = "example.com/pool";

    private static final int MIDDLE_PRIORITY = 500;

    private static final int MOST_NODES = 6;

    /** A namespace that comes and goes. */
    static final String TEAM = "team";

    /** Whose pods are scheduled by a profile of their own, where there is one. */
    public static final String SECOND_PROFILE = "second";

    private final HollowObjects objects;
    private final ClusterObjects cluster;
    private final Pods pods;
    private final Nodes nodes;
    private final Optional<Owners> owners;
    private final Optional<Budgets> budgets;
    private final Optional<Volumes> volumes;
    private final Optional<Policies> policies;
    private final Optional<Devices> devices;
    private final Optional<Workloads> workloads;
    private final Choices choices;
    private final Story story;
    private final boolean isParted;
    private int size = 2;
    private int revision;

    /**
     * All that lives there.
     *
     * @param features what there is beside nodes and pods
     * @param pools that nodes are in, if they are in any
     */
    public Life(
            HollowObjects objects,
            Store store,
            Choices choices,
            Story story,
            Set<Features> features,
            List<String> pools) {
        isParted = features.contains(Features.SHARDS);
        this.objects = objects;
        this.choices = choices;
        this.story = story;
        cluster = new ClusterObjects(store, choices);
        pods = new Pods(objects, cluster, choices, story, features.contains(Features.EXTENDERS));
        nodes = new Nodes(objects, cluster, pods, choices, story, pools);
        owners = features.contains(Features.GROUPS)
                ? Optional.of(new Owners(
                        objects, cluster, pods, choices, story, features.contains(Features.DEVICES), isParted))
                : Optional.empty();
        budgets = features.contains(Features.BUDGETS)
                ? Optional.of(new Budgets(objects, cluster, pods, choices, story))
                : Optional.empty();
        volumes = features.contains(Features.VOLUMES)
                ? Optional.of(new Volumes(objects, cluster, pods, choices, story, isParted))
                : Optional.empty();
        policies = features.contains(Features.POLICIES)
                ? Optional.of(new Policies(objects, cluster, pods, choices, story))
                : Optional.empty();
        devices = features.contains(Features.DEVICES)
                ? Optional.of(new Devices(objects, cluster, pods, choices, story))
                : Optional.empty();
        workloads = features.contains(Features.MOVES)
                ? Optional.of(new Workloads(objects, cluster, nodes, pods, choices, story))
                : Optional.empty();
    }

    /** What every cluster begins with. */
    public void begin() {
        List.of("default", "kube-system").forEach(this::createNamespace);
        createPriorityClass(Templates.IMPORTANT, HIGHEST_PRIORITY);
        if (budgets.isPresent()) {
            createPriorityClass(Templates.MIDDLING, MIDDLE_PRIORITY);
        }
        volumes.ifPresent(Volumes::begin);
        devices.ifPresent(Devices::begin);
        int first = 1 + choices.below(4);
        for (int node = 0; node < first; node++) {
            nodes.add(node);
        }
        devices.ifPresent(Devices::publishAll);
        workloads.ifPresent(Workloads::begin);
    }

    private void createPriorityClass(String name, int value) {
        objects.create("""
            {"kind":"PriorityClass","apiVersion":"scheduling.k8s.io/v1","metadata":{"name":"%s"},"value":%d}
            """.formatted(name, value));
    }

    public boolean hasDevices() {
        return devices.isPresent();
    }

    /** Whether pods have claims, for which something is written before they are bound. */
    public boolean hasClaims() {
        return volumes.isPresent() || devices.isPresent();
    }

    /** Some want claims, for which there may be volumes, or devices. */
    public void wantClaims() {
        volumes.ifPresent(all -> attempt(all::createPods));
        devices.ifPresent(all -> attempt(all::createPods));
    }

    public boolean hasMoves() {
        return workloads.isPresent();
    }

    /** Somebody does something. */
    public void step() {
        if (isParted && choices.oneIn(2)) {
            attempt(this::stepOfShards);
            return;
        }
        if (workloads.isPresent() && choices.oneIn(2)) {
            attempt(workloads.get()::step);
            return;
        }
        if (budgets.isPresent() && choices.oneIn(2)) {
            attempt(budgets.get()::step);
            return;
        }
        if (volumes.isPresent() && choices.oneIn(2)) {
            attempt(volumes.get()::step);
            return;
        }
        if (policies.isPresent() && choices.oneIn(2)) {
            attempt(policies.get()::step);
            return;
        }
        if (owners.isPresent() && choices.oneIn(2)) {
            attempt(owners.get()::step);
            return;
        }
        if (devices.isPresent() && choices.oneIn(2)) {
            attempt(devices.get()::step);
            return;
        }
        try {
            switch (choices.below(30)) {
                case 7 -> pods.createSeveral();
                case 8, 9 -> pods.deleteSome();
                case 10 -> nodes.resize();
                case 11 -> nodes.remove();
                case 12 -> nodes.replace();
                case 13 -> {
                    if (choices.oneIn(2)) {
                        nodes.taint();
                    } else {
                        nodes.cordonOrUncordon();
                    }
                }
                case 14 -> pods.openGate();
                case 15 -> pods.relabelSome();
                case 16 -> pods.finish();
                case 17 -> pods.bindByAnother();
                case 18 -> nodes.move();
                case 19 -> relabelNamespace();
                case 20, 21 -> pods.kubelets();
                case 22 -> pods.replaceSome();
                case 23 -> nodes.add(choices.below(MOST_NODES));
                case 24, 25 -> controller();
                case 26 -> roll();
                case 27 -> autoscaler();
                case 28 -> nodes.rename();
                case 29 -> namespaceComesOrGoes();
                default -> pods.create();
            }
        } catch (ApiException refused) {
            story.tell("life", "refused: " + refused.getMessage());
        }
    }

    /** Somebody does something that matters where nodes are parted among engines. */
    private void stepOfShards() {
        if (hasClaims() && choices.oneIn(2)) {
            volumes.ifPresent(Volumes::step);
            devices.ifPresent(Devices::step);
            return;
        }
        switch (choices.below(12)) {
            case 6, 7, 8 -> nodes.movePool();
            case 9 -> pods.relabelForShards();
            case 10 -> pods.deleteSome();
            case 11 -> pods.kubelets();
            default -> pods.createOfShards();
        }
    }

    /** Some of it when all is well: pods that engines must agree about, and nodes that come from one to another. */
    public void stepInCalm() {
        if (volumes.isPresent() && choices.oneIn(2)) {
            attempt(volumes.get()::step);
            return;
        }
        if (devices.isPresent() && choices.oneIn(2)) {
            attempt(devices.get()::step);
            return;
        }
        attempt(() -> {
            switch (choices.below(8)) {
                case 1 -> nodes.movePool();
                case 2 -> pods.deleteSome();
                case 3 -> pods.createSeveral(choices.from(Templates.EVEN));
                case 4 -> pods.create();
                default -> pods.createOfShards();
            }
        });
    }

    /** Whether nodes are parted among engines. */
    public boolean isParted() {
        return isParted;
    }

    /** Some node. */
    public Optional<String> someNode() {
        return nodes.some();
    }

    /** The node is in the first shard that a label parts nodes into. */
    public void moveToFirst(String node) {
        attempt(() -> nodes.moveTo(node, "a"));
    }

    /** The node is in the last shard. */
    public void moveToLast(String node) {
        attempt(() -> nodes.moveTo(node, "d"));
    }

    /** The node is in another shard than before. */
    public void moveAway(String node) {
        if (nodes.poolOf(node).equals("a")) {
            moveToLast(node);
        } else {
            moveToFirst(node);
        }
    }

    /** Pods come that want to be on this node, more than it has room for. */
    public void crowd(String node) {
        attempt(() -> pods.crowd(node));
    }

    /** Pods come that want to be on the node that is named in this. */
    public void crowdNamed(String text) {
        attempt(() -> cluster.all(ResourceTable.NODES).stream()
                .map(ClusterObjects::name)
                .filter(node -> text.contains('"' + node + '"'))
                .forEach(pods::crowd));
    }

    /** One comes for this node. */
    public void comeTo(String node) {
        attempt(() -> pods.createOn(node, "only", "1", Templates.ANY));
    }

    /** The node takes nobody, and some wait for it, of whom others may be told to keep away. */
    public void waitFor(String node) {
        attempt(() -> {
            nodes.open(node, false);
            for (int pod = 0; pod < 2; pod++) {
                pods.createOn(node, Templates.GUARDED, "500m", Templates.ANY);
                pods.createOn(node, "only", "2", Templates.ANY);
            }
        });
    }

    /** More come for the node, who go first. */
    public void comeFirst(String node) {
        attempt(() -> {
            for (int pod = 0; pod < 2; pod++) {
                pods.createOn(node, "only", "2", Templates.IMPORTANT);
            }
        });
    }

    /** The node takes pods again. */
    public void open(String node) {
        attempt(() -> nodes.open(node, true));
    }

    /** One comes that keeps those off its zone. */
    public void guard() {
        attempt(() -> pods.create(Templates.GUARD));
    }

    /** Pods that fit nowhere, and are told so once more. */
    public void probe() {
        attempt(pods::createHopeless);
    }

    /** Who makes pods, and runs them, does so where they are moved. */
    public void control() {
        workloads.ifPresent(all -> attempt(all::control));
    }

    /** Whoever counts the budgets of pods that are moved does so at once. */
    public void countBudgets() {
        workloads.ifPresent(all -> attempt(all::count));
    }

    /** Deployments that are not as is wanted. */
    public List<String> deploymentsAstray() {
        return workloads.map(Workloads::astray).orElse(List.of());
    }

    /** A zone is away for a while, so that the pods of the others are to be moved. */
    public void comeOrGo() {
        workloads.ifPresent(all -> attempt(all::comeOrGo));
    }

    /** Something crosses the move of a pod to a node. */
    public void crossMove(String namespace, String name, String node) {
        workloads.ifPresent(all -> at(namespace, name, pod -> all.cross(pod, node)));
    }

    /** Something crosses the eviction of a pod. */
    public void crossMove(String namespace, String name) {
        workloads.ifPresent(all -> at(namespace, name, pod -> all.cross(pod, text(pod, "spec", "nodeName"))));
    }

    /** Some node is cordoned and emptied, while pods come that were to be spread onto it too. */
    public Optional<String> drain() {
        return nodes.drain();
    }

    /** The node goes, if it is still there. */
    public void takeAway(String node) {
        nodes.takeAway(node);
    }

    /** There is hardly room for others. */
    public void fill() {
        attempt(pods::fill);
    }

    /** Others have to go for these; and where there are some between them, first for those, who then give way too. */
    public void press() {
        if (budgets.isPresent() && choices.oneIn(2)) {
            attempt(pods::createMiddling);
        } else {
            attempt(pods::createImportant);
        }
    }

    /** And for these. */
    public void pressOn() {
        if (budgets.isPresent()) {
            attempt(pods::createImportant);
        }
    }

    /** There is a node for a gang alone, and others are there before it comes. */
    public void fillForGang() {
        if (owners.isPresent()) {
            attempt(() -> {
                nodes.addDedicated(Nodes.OF_GANG);
                pods.occupy(Nodes.OF_GANG);
            });
        }
    }

    /** There is a node for one alone, and others are there before it comes. */
    public void fillForOne() {
        attempt(() -> {
            nodes.addDedicated(Nodes.OF_ONE);
            pods.occupy(Nodes.OF_ONE);
        });
    }

    /** One of them has to go for it. */
    public void pressAlone() {
        attempt(() -> pods.createOnly(Nodes.OF_ONE));
    }

    /** They have to go for it. */
    public void pressTogether() {
        owners.ifPresent(all -> attempt(all::createDedicated));
    }

    /** More come that are as important as those for whom others go, whose node takes none any more just then. */
    public void thwart() {
        attempt(pods::createImportant);
        attempt(nodes::cordonAwaited);
    }

    /** Somebody else is at one for whom others have to go. */
    public void meddleWithImportant() {
        attempt(() -> cluster.somePod(pods.isImportant(), this::meddle));
    }

    /** Some wait for one that is not there. */
    public void gather() {
        attempt(() -> pods.createSeveral(Templates.GUEST));
    }

    /** The same, but that each is to be asked about by itself whether that one helps it; there is a node for them alone. */
    public void gatherUnlike() {
        attempt(() -> {
            nodes.addDedicated(Nodes.OF_GUESTS);
            pods.createUnlikeGuests();
        });
    }

    /** The one comes whom those wait for, and before all of them have been asked about they change, the last of them first. */
    public void arriveAmongMany() {
        attempt(() -> {
            pods.createForAnother(Templates.HOST);
            cluster.somePod(pods.isWaiting(Templates.HOST), host -> pods.bindByAnother(host, Nodes.OF_GUESTS));
            cluster.pods(pods.isWaiting(Templates.GUEST)).reversed().forEach(pods::annotate);
        });
    }

    /** The one comes whom those wait for, and perhaps they change just then, in what matters or in what does not. */
    public void arrive() {
        attempt(() -> {
            pods.create(Templates.HOST);
            cluster.somePod(pods.isWaiting(Templates.HOST), pods::bindByAnother);
            switch (choices.below(4)) {
                case 1 -> cluster.somePod(pods.isWaiting(Templates.GUEST), pods::relabel);
                case 2, 3 -> cluster.pods(pods.isWaiting(Templates.GUEST)).forEach(pods::annotate);
                default -> {}
            }
        });
    }

    private void attempt(Runnable deed) {
        try {
            deed.run();
        } catch (ApiException refused) {
            story.tell("life", "refused: " + refused.getMessage());
        }
    }

    /** Something comes and goes, or changes and changes back. */
    public void flicker() {
        try {
            switch (choices.below(6)) {
                case 1 -> {
                    pods.create();
                    pods.deleteSome();
                }
                case 2 -> nodes.restore();
                case 3 -> {
                    for (int time = 0; time < 2; time++) {
                        nodes.cordonOrUncordon();
                    }
                }
                case 4 -> pods.replaceSome();
                case 5 -> nodes.garble();
                default -> pods.create();
            }
        } catch (ApiException refused) {
            story.tell("life", "refused: " + refused.getMessage());
        }
    }

    /** Somebody else is at this pod, at a moment that suits its scheduler least. */
    public void meddle(String namespace, String name) {
        at(namespace, name, this::meddle);
    }

    /** Another pod takes this one's name, and is in place perhaps before anybody hears of it. */
    public void supplant(String namespace, String name) {
        at(namespace, name, pod -> {
            pods.endLingering();
            pods.replace(pod);
            if (!choices.oneIn(4)) {
                pods.bindByAnother(pod);
            }
        });
    }

    /** Another pod like this one takes its name. */
    public void renew(String namespace, String name) {
        at(namespace, name, pods::renew);
    }

    /** The pod is gone. */
    public void vanish(String namespace, String name) {
        at(namespace, name, pods::deleteNow);
    }

    /** The pod is to end, and does not until somebody has seen to it. */
    public void beginEnd(String namespace, String name) {
        at(namespace, name, pods::beginEnd);
    }

    private void at(String namespace, String name, Consumer<JsonObject> deed) {
        objects.get(ResourceTable.PODS, namespace, name)
                .map(text -> JsonParser.parseString(text).getAsJsonObject())
                .ifPresent(pod -> {
                    try {
                        deed.accept(pod);
                    } catch (ApiException refused) {
                        story.tell("life", "refused: " + refused.getMessage());
                    }
                });
    }

    private void meddle(JsonObject pod) {
        switch (choices.below(8)) {
            case 1 -> {
                story.tell("life", "deletes " + name(pod) + " at once");
                pods.deleteNow(pod);
            }
            case 2 -> {
                story.tell("life", "deletes " + name(pod));
                pods.delete(pod);
            }
            case 3, 7 -> pods.bindByAnother(pod);
            case 6 -> {
                pods.replace(pod);
                pods.bindByAnother(pod);
            }
            case 4 -> pods.relabel(pod);
            case 5 -> nodes.remove();
            default -> pods.replace(pod);
        }
    }

    /** Labels say that all is well again: for who has turned pods away until the labels of a node, or theirs, change. */
    public void calmDown() {
        String calm = "{\"metadata\":{\"labels\":{\"example.com/calm\":\"true\"}}}";
        List<JsonObject> there = cluster.all(ResourceTable.NODES);
        there.forEach(node -> objects.patch(ResourceTable.NODES, "", name(node), calm));
        if (there.isEmpty()) {
            cluster.pods(_ -> true).forEach(pod -> objects.patch(ResourceTable.PODS, namespace(pod), name(pod), calm));
        }
    }

    /** Sets right what cannot be read, and ends what lingers. */
    public void mend() {
        nodes.mend();
        pods.endLingering();
        budgets.ifPresent(all -> attempt(all::count));
    }

    /** Controllers have caught up with some of what is wanted, and some are gone. */
    public void settle() {
        owners.ifPresent(all -> attempt(all::settle));
        workloads.ifPresent(all -> attempt(all::settle));
    }

    /** Pods that are to go do, where others wait for it; and whoever binds and makes volumes does so. */
    public void endAwaited() {
        pods.endAwaited();
        volumes.ifPresent(all -> attempt(() -> all.control(false)));
        devices.ifPresent(all -> attempt(all::control));
    }

    /** Keeps some pods of one sort, of the newest revision once the old ones are gone. */
    private void controller() {
        List<JsonObject> its = cluster.pods(pod -> name(pod).startsWith("rolled-")
                && !pod.getAsJsonObject("metadata").has("deletionTimestamp"));
        if (its.size() < size) {
            String name = "rolled-" + cluster.number();
            story.tell("controller", "creates " + name + " of revision " + revision);
            objects.create(
                    Templates.pod(Templates.ROLLED, "default", name, "default-scheduler", revision, Templates.ANY));
        } else {
            its.stream()
                    .filter(pod -> !label(pod, "revision").equals("r" + revision))
                    .findFirst()
                    .ifPresent(old -> {
                        story.tell("controller", "deletes " + name(old));
                        pods.delete(old);
                    });
        }
    }

    private void roll() {
        size = 1 + choices.below(4);
        revision++;
        story.tell("controller", "wants " + size + " of revision " + revision);
        controller();
    }

    /** Adds a node where a pod has been told that there is no room. */
    private void autoscaler() {
        boolean needed = cluster.pods(pod -> !isPlaced(pod)).stream()
                .anyMatch(pod -> pod.getAsJsonObject("status").toString().contains("\"Unschedulable\""));
        if (needed) {
            nodes.add(choices.below(MOST_NODES));
        }
    }

    private void namespaceComesOrGoes() {
        if (objects.get(ResourceTable.NAMESPACES, "", TEAM).isEmpty()) {
            story.tell("life", "creates namespace " + TEAM);
            createNamespace(TEAM);
        } else {
            story.tell("life", "deletes namespace " + TEAM + " and all in it");
            cluster.pods(pod -> namespace(pod).equals(TEAM)).forEach(pods::deleteNow);
            owners.ifPresent(all -> all.endAllIn(TEAM));
            objects.deleteNow(ResourceTable.NAMESPACES, "", TEAM);
        }
    }

    private void createNamespace(String name) {
        objects.create("{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    private void relabelNamespace() {
        String team = "team-" + choices.below(2);
        story.tell("life", "labels namespace default team=" + team);
        objects.patch(
                ResourceTable.NAMESPACES, "", "default", "{\"metadata\":{\"labels\":{\"team\":\"" + team + "\"}}}");
    }
}
