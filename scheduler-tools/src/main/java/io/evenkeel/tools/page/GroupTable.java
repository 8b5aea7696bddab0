package io.evenkeel.tools.page;

import io.evenkeel.engine.group.GangQuestions.GangOutlook;
import io.evenkeel.engine.group.GangQuestions.Roll;
import io.evenkeel.engine.group.GroupMembership;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.Requester;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The pods that are placed together, with who is missing. */
final class GroupTable {
    private static final int MOST = 200;
    private static final int MOST_MEMBERS = 100;

    /** To find out what keeps a gang is to search places for it. */
    private static final int MOST_ASKED = 20;

    private GroupTable() {}

    private record Group(GroupMembership membership, List<Pod> pods) {
        long inPlace() {
            return pods.stream().filter(Pod::isPlaced).count();
        }

        boolean waits() {
            return pods.stream().anyMatch(pod -> !pod.isPlaced());
        }
    }

    /**
     * All groups, and the policies.
     *
     * @param isTime whether there is time to find out what keeps another gang
     */
    static Tree tree(ClusterQuestions copy, Requester by, BooleanSupplier isTime) {
        Map<GroupKey, Group> groups = new LinkedHashMap<>();
        for (Pod pod : copy.pods()) {
            membership(copy, pod)
                    .ifPresent(membership -> groups.computeIfAbsent(
                                    membership.group(), _ -> new Group(membership, new ArrayList<>()))
                            .pods()
                            .add(pod));
        }
        List<Group> shown = groups.values().stream()
                .sorted(Comparator.comparing((Group group) -> !group.waits())
                        .thenComparing(group -> group.membership().group().toString()))
                .limit(MOST)
                .toList();
        List<Tree> rows = new ArrayList<>();
        int asked = 0;
        for (Group group : shown) {
            boolean isAsked =
                    group.waits() && isTime.getAsBoolean() && by.stillWanted().getAsBoolean() && asked++ < MOST_ASKED;
            rows.add(row(group, isAsked ? message(copy, group) : Optional.empty()));
        }
        PolicyTable policies = new PolicyTable(copy.cluster());
        return new Tree()
                .put("groups", rows)
                .put("more", Math.max(0, groups.size() - MOST))
                .put("policies", policies.trees())
                .put("morePolicies", policies.more());
    }

    /** The group of a pod alone, if it is in one. */
    static Tree tree(ClusterQuestions copy, Pod pod) {
        List<Group> own = membership(copy, pod).stream()
                .map(membership -> new Group(
                        membership,
                        copy.pods().stream()
                                .filter(each -> membership(copy, each)
                                        .filter(other -> other.group().equals(membership.group()))
                                        .isPresent())
                                .toList()))
                .toList();
        return new Tree().put("groups", own, group -> row(group, message(copy, group)));
    }

    private static Optional<GroupMembership> membership(ClusterQuestions copy, Pod pod) {
        return copy.rollOf(pod).map(Roll::membership);
    }

    private static Optional<String> message(ClusterQuestions copy, Group group) {
        return group.pods().stream()
                .filter(pod -> !pod.isPlaced())
                .findFirst()
                .flatMap(copy::gangOf)
                .flatMap(GangOutlook::waits);
    }

    private static Tree row(Group group, Optional<String> message) {
        GroupKey key = group.membership().group();
        int needed = group.membership().terms().minimum();
        return new Tree()
                .put("namespace", key.namespace())
                .put("name", key.name())
                .put("kind", key.noun())
                .put("needed", needed)
                .put("inPlace", group.inPlace())
                .put("waiting", group.pods().size() - group.inPlace())
                .put("missing", Math.max(0, needed - group.pods().size()))
                .putPresent("message", message)
                .put(
                        "members",
                        group.pods().stream()
                                .sorted(Comparator.comparing(Pod::isPlaced))
                                .limit(MOST_MEMBERS)
                                .toList(),
                        pod -> new Tree()
                                .put("pod", pod.key())
                                .putNonEmpty("node", pod.spec().nodeName()));
    }
}
