package io.evenkeel.world.life;

import static io.evenkeel.world.life.ClusterObjects.isPlaced;
import static io.evenkeel.world.life.ClusterObjects.name;
import static io.evenkeel.world.life.ClusterObjects.namespace;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import io.evenkeel.world.Story;
import io.evenkeel.world.play.Choices;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** ReplicaSets and the controller that makes their pods, one at a time or all at once; and what else becomes of both. */
final class Owners {
    private static final int MOST = 4;
    private static final int MOST_PODS = 20;
    private static final int MANY = 7;

    private final HollowObjects objects;
    private final ClusterObjects cluster;
    private final Pods pods;
    private final Choices choices;
    private final Story story;
    private final boolean haveDevices;
    private final List<String> modes;
    private final List<Owner> owners = new ArrayList<>();

    /**
     * There are none yet.
     *
     * @param haveDevices whether those of some have a device each
     * @param havePodGroups whether some are gangs by PodGroups
     */
    Owners(
            HollowObjects objects,
            ClusterObjects cluster,
            Pods pods,
            Choices choices,
            Story story,
            boolean haveDevices,
            boolean havePodGroups) {
        modes = havePodGroups
                ? Stream.concat(
                                OwnedTemplates.modes().stream(),
                                Stream.of(OwnedTemplates.POD_GROUP, OwnedTemplates.POD_GROUP))
                        .toList()
                : OwnedTemplates.modes();
        this.haveDevices = haveDevices;
        this.objects = objects;
        this.cluster = cluster;
        this.pods = pods;
        this.choices = choices;
        this.story = story;
    }

    /** Something is done to one of them, or to a pod of one. */
    void step() {
        owners.removeIf(owner -> replicas(owner).isEmpty());
        if (owners.isEmpty()) {
            create();
            return;
        }
        Owner owner = choices.from(owners);
        switch (choices.below(18)) {
            case 6, 7, 8 -> makeAll(owner);
            case 9, 10 -> create();
            case 11 -> scale(owner);
            case 12 -> roll(owner);
            case 13 -> end(owner);
            case 14 -> {
                if (choices.oneIn(3)) {
                    cluster.somePod(isOf(owner), pods::beginEnd);
                } else {
                    cluster.somePod(isOf(owner), pods::delete);
                }
            }
            case 15 -> cluster.somePod(isOf(owner).and(pod -> !isPlaced(pod)), this::bindByAnother);
            case 16 -> cluster.somePod(isOf(owner), pods::replace);
            case 17 -> cluster.somePod(isOf(owner), pods::deleteNow);
            default -> control(owner);
        }
    }

    /** Gates do not let go of who has one, so another scheduler may not have it either. */
    private void bindByAnother(JsonObject pod) {
        if (!pod.getAsJsonObject("spec").has("schedulingGates")) {
            pods.bindByAnother(pod);
        }
    }

    /** An owner, and perhaps all of its pods at once. */
    void create() {
        if (owners.size() < MOST) {
            boolean there = objects.get(ResourceTable.NAMESPACES, "", Life.TEAM).isPresent();
            String name = "set-" + cluster.number();
            String namespace = there && choices.oneIn(4) ? Life.TEAM : "default";
            int sort = haveDevices && choices.oneIn(2) ? OwnedTemplates.DEVOTED : choices.below(OwnedTemplates.sorts());
            Owner owner = create(new Owner(
                    name,
                    namespace,
                    "",
                    sort,
                    choices.from(modes),
                    choices.oneIn(4) ? Life.SECOND_PROFILE : "default-scheduler",
                    choices.oneIn(5)));
            if (choices.oneIn(2)) {
                makeAll(owner);
            }
        }
    }

    /** A gang of two that has a node of its own, from which others have to go for it. */
    void createDedicated() {
        Owner owner = create(
                new Owner(
                        "set-" + cluster.number(),
                        "default",
                        "",
                        OwnedTemplates.DEDICATED,
                        OwnedTemplates.GANG,
                        "default-scheduler",
                        true),
                2);
        for (int pod = 0; pod < 2; pod++) {
            pods.create(OwnedTemplates.pod(owner, owner.name() + "-" + cluster.number(), false), false);
        }
    }

    private Owner create(Owner wanted) {
        return create(wanted, replicas());
    }

    private Owner create(Owner wanted, int replicas) {
        story.tell("life", "creates ReplicaSet " + wanted + " of " + replicas);
        String text = objects.create(OwnedTemplates.owner(wanted, replicas));
        Owner owner = wanted.created(Trees.text(Trees.parse(text), "metadata", "uid"));
        owners.add(owner);
        if (isOfPodGroup(owner)) {
            objects.create(OwnedTemplates.podGroup(owner, replicas));
        }
        return owner;
    }

    private static boolean isOfPodGroup(Owner owner) {
        return owner.mode().equals(OwnedTemplates.POD_GROUP);
    }

    private boolean hasPodGroup(String namespace, String name) {
        return objects.get(ResourceTable.COSCHEDULING_POD_GROUPS, namespace, name)
                .isPresent();
    }

    private int replicas() {
        return choices.oneIn(8) ? MANY : 1 + choices.below(5);
    }

    private Predicate<JsonObject> isOf(Owner owner) {
        return pod -> Trees.objects(pod, "metadata", "ownerReferences").stream()
                .anyMatch(reference -> Trees.text(reference, "uid").equals(owner.uid()));
    }

    /** How many it wants; nothing where it is gone. */
    private Optional<Integer> replicas(Owner owner) {
        return objects.get(ResourceTable.REPLICA_SETS, owner.namespace(), owner.name())
                .map(Trees::parse)
                .filter(set -> Trees.text(set, "metadata", "uid").equals(owner.uid()))
                .map(set -> Trees.number(set, "spec", "replicas").orElse(0L).intValue());
    }

    /** Makes one of its pods, or lets one go; false where it has as many as it wants. */
    private boolean control(Owner owner) {
        List<JsonObject> its = cluster.pods(isOf(owner)
                .and(pod -> !pod.getAsJsonObject("metadata").has("deletionTimestamp")
                        && !List.of("Succeeded", "Failed").contains(ClusterObjects.phase(pod))));
        int wanted = replicas(owner).orElse(its.size());
        if (its.size() < wanted && cluster.pods(_ -> true).size() < MOST_PODS) {
            String name = owner.name() + "-" + cluster.number();
            story.tell("controller", "creates " + name + " of " + owner);
            pods.create(OwnedTemplates.pod(owner, name, choices.oneIn(10)), owner.sort() % 2 == 1);
            return true;
        }
        if (its.size() > wanted) {
            JsonObject pod = choices.from(its);
            story.tell("controller", "deletes " + name(pod));
            pods.delete(pod);
            return true;
        }
        return false;
    }

    private void makeAll(Owner owner) {
        for (boolean more = true; more; ) {
            more = control(owner);
        }
    }

    private void scale(Owner owner) {
        scale(owner, choices.oneIn(4) ? 0 : replicas());
    }

    private void scale(Owner owner, int replicas) {
        story.tell("life", "scales " + owner.name() + " to " + replicas);
        objects.patch(
                ResourceTable.REPLICA_SETS,
                owner.namespace(),
                owner.name(),
                "{\"spec\":{\"replicas\":" + replicas + "}}");
        // a PodGroup needs one at least
        if (isOfPodGroup(owner) && hasPodGroup(owner.namespace(), owner.name())) {
            objects.patch(
                    ResourceTable.COSCHEDULING_POD_GROUPS,
                    owner.namespace(),
                    owner.name(),
                    "{\"spec\":{\"minMember\":" + Math.max(1, replicas) + "}}");
        }
        if (choices.oneIn(2)) {
            control(owner);
        }
    }

    /** Another takes its place, and it has one less, or none at once. */
    private void roll(Owner owner) {
        story.tell("life", "rolls " + owner.name());
        scale(owner, choices.oneIn(2) ? 0 : Math.max(0, replicas(owner).orElse(1) - 1));
        Owner next = create(owner.next("set-" + cluster.number()));
        if (choices.oneIn(2)) {
            makeAll(next);
        }
    }

    /** The owner goes, and its pods with it, or after it, or not at all. */
    private void end(Owner owner) {
        story.tell("life", "deletes ReplicaSet " + owner.name());
        objects.deleteNow(ResourceTable.REPLICA_SETS, owner.namespace(), owner.name());
        owners.remove(owner);
        if (hasPodGroup(owner.namespace(), owner.name())) {
            objects.deleteNow(ResourceTable.COSCHEDULING_POD_GROUPS, owner.namespace(), owner.name());
        }
        switch (choices.below(3)) {
            case 1 -> cluster.pods(isOf(owner)).forEach(pods::deleteNow);
            case 2 -> {}
            default -> cluster.pods(isOf(owner)).forEach(pods::delete);
        }
    }

    /** Those of a namespace that is gone. */
    void endAllIn(String namespace) {
        cluster.all(ResourceTable.REPLICA_SETS).stream()
                .filter(set -> namespace(set).equals(namespace))
                .forEach(set -> objects.deleteNow(ResourceTable.REPLICA_SETS, namespace, name(set)));
        cluster.all(ResourceTable.COSCHEDULING_POD_GROUPS).stream()
                .filter(group -> namespace(group).equals(namespace))
                .forEach(group -> objects.deleteNow(ResourceTable.COSCHEDULING_POD_GROUPS, namespace, name(group)));
    }

    /** Some owners get all that they want, and others go. */
    void settle() {
        for (Owner owner : List.copyOf(owners)) {
            if (replicas(owner).isPresent()) {
                switch (choices.below(5)) {
                    case 1, 2 -> makeAll(owner);
                    case 3 -> end(owner);
                    default -> {}
                }
            }
        }
    }
}
