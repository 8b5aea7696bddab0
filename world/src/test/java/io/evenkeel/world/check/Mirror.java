package io.evenkeel.world.check;

import io.evenkeel.engine.ClusterEvent;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Relist;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What one replica's engine has been told, kept in the plainest way, and whether what it decides is right by that. It
 * counts everything anew each time.
 */
public final class Mirror {
    private final String replica;
    private final Consumer<String> story;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, Set<String>> relisted = new TreeMap<>();
    private Set<String> decided = new HashSet<>();
    private Optional<Violation> violation = Optional.empty();

    public Mirror(String replica, Consumer<String> story) {
        this.replica = replica;
        this.story = story;
    }

    /** The engine takes this in next. */
    public void take(SchedulerEvent event) {
        story.accept("takes " + described(event));
        switch (event) {
            case ClusterEvent.Put(KubernetesObject object) -> put(object);
            case ClusterEvent.Removed(KubernetesObject object) -> remove(object);
            case Relist.Began(String kind) -> relisted.put(kind, new HashSet<>());
            case Relist.Present(String kind, var key) ->
                key.ifPresentOrElse(
                        there -> relisted.get(kind).add(there),
                        () -> relisted.get(kind).addAll(keys(kind)));
            case Relist.Ended(String kind) -> {
                Set<String> there = relisted.remove(kind);
                List.copyOf(keys(kind)).stream()
                        .filter(key -> !there.contains(key))
                        .forEach(keys(kind)::remove);
            }
            default -> {}
        }
    }

    private static String described(SchedulerEvent event) {
        return switch (event) {
            case ClusterEvent.Put(KubernetesObject object) -> "put " + described(object);
            case ClusterEvent.Removed(KubernetesObject object) -> "removed " + described(object);
            case CommandResult.Bound(Pod pod, String node) -> "bound " + pod.key() + " to " + node;
            case CommandResult.NotBound(Pod pod, String node, var why, var message) ->
                "not bound " + pod.key() + " to " + node + ": " + why + " " + message;
            case CommandResult.Found(Pod pod, var found) -> "found " + pod.key() + " as " + found;
            case SchedulerEvent.Inquiry _ -> "a question";
            default -> event.toString();
        };
    }

    private static String described(KubernetesObject object) {
        String place = object instanceof Pod pod && pod.isPlaced()
                ? " on " + pod.spec().nodeName()
                : "";
        return object.kindName() + " " + object.meta().key() + place + " at "
                + object.meta().resourceVersion();
    }

    private Set<String> keys(String kind) {
        return switch (kind) {
            case "Node" -> nodes.keySet();
            case "Pod" -> pods.keySet();
            default -> Set.of();
        };
    }

    private void put(KubernetesObject object) {
        relisted.computeIfPresent(object.kindName(), (_, there) -> {
            there.add(object.meta().key());
            return there;
        });
        switch (object) {
            case Node node -> nodes.put(node.meta().key(), node);
            case Pod pod -> pods.put(pod.key(), pod);
            default -> {}
        }
    }

    private void remove(KubernetesObject object) {
        switch (object) {
            case Node node -> nodes.remove(node.meta().key());
            case Pod pod -> pods.remove(pod.key());
            default -> {}
        }
    }

    /** Looks at what has been decided in the turn that ended. */
    public void check(Collection<Scheduler.OnItsWay> onTheirWay) {
        Set<String> now = new HashSet<>();
        List<Scheduler.OnItsWay> fresh = new ArrayList<>();
        for (Scheduler.OnItsWay each : onTheirWay) {
            String uid = each.pod().meta().uid();
            now.add(uid);
            if (!decided.contains(uid)) {
                fresh.add(each);
            }
        }
        decided = now;
        if (fresh.isEmpty()) {
            return;
        }
        Picture picture = new Picture(nodes.values());
        pods.values().stream()
                .filter(pod -> pod.isPlaced() && !now.contains(pod.meta().uid()))
                .forEach(pod -> picture.place(pod, pod.spec().nodeName()));
        onTheirWay.stream()
                .filter(each -> !fresh.contains(each))
                .forEach(each -> picture.place(each.pod(), each.node()));
        if (!isRightInSomeOrder(fresh, picture)) {
            Scheduler.OnItsWay first = fresh.getFirst();
            picture.place(first.pod(), first.node());
            violation =
                    Optional.of(new Violation(replica + " put " + first.pod().key() + " on " + first.node() + ": "
                            + picture.wrongAbout(first.pod(), first.node()) + ", one of " + fresh.size() + " at once"));
        }
    }

    /** A turn decides several pods one after the other, each knowing of those before it alone. */
    private static boolean isRightInSomeOrder(List<Scheduler.OnItsWay> decided, Picture picture) {
        boolean right = decided.isEmpty();
        for (int at = 0; at < decided.size() && !right; at++) {
            Scheduler.OnItsWay first = decided.get(at);
            picture.place(first.pod(), first.node());
            if (picture.wrongAbout(first.pod(), first.node()).isEmpty()) {
                List<Scheduler.OnItsWay> others = new ArrayList<>(decided);
                others.remove(at);
                right = isRightInSomeOrder(others, picture);
            }
            picture.takeBack();
        }
        return right;
    }

    /** What was decided wrongly, if anything was. */
    public Optional<Violation> violation() {
        return violation;
    }
}
