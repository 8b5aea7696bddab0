package io.evenkeel.world.check;

import io.evenkeel.api.VictimAdvice;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.devices.DynamicResources;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.world.plugin.WhimsicalPlugin;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * That no pod sleeps that fits, also beside those that are nominated, by what has been told: whatever made room for it
 * should have woken it. Of plugins with whims nobody knows what they would say, so the pods that they keep waiting may
 * sleep; and so may those that others which are still on their way would help, until these have come. Neither does a pod stay without
 * a turn as if it lacked claims to devices, when they are there.
 */
final class Sleepers {
    /** Who was left room for, and is decided for another node, leaves it to others once that is certain. */
    private static final String NOMINATED = "nominated pods";

    private final String replica;
    private final SleepingGangs gangs;

    Sleepers(String replica) {
        this.replica = replica;
        gangs = new SleepingGangs(replica);
    }

    /** Whether a plugin with whims keeps it waiting, or an extender. */
    static boolean isByWhim(QueueEntryView entry) {
        return entry.rejectedBy().contains(WhimsicalPlugin.NAME)
                || entry.rejectedBy().contains(VictimAdvice.EXTENDER);
    }

    void check(Told told, Collection<OnItsWay> onTheirWay, List<QueueEntryView> queue) {
        List<Pod> gated = queue.stream()
                .filter(entry ->
                        entry.state() == QueueState.GATED && entry.rejectedBy().equals(Set.of(DynamicResources.NAME)))
                .flatMap(entry -> told.podOfKey(entry.key()).stream())
                .filter(pod -> !pod.isPlaced() && !pod.meta().terminating())
                .toList();
        List<Pod> sleeping = queue.stream()
                .filter(entry -> entry.state() == QueueState.UNSCHEDULABLE && !isByWhim(entry))
                .filter(entry -> onTheirWay.isEmpty() || !entry.rejectedBy().contains(NOMINATED))
                .flatMap(entry -> told.podOfKey(entry.key()).stream())
                .filter(pod -> !pod.isPlaced() && !pod.meta().terminating())
                .filter(pod -> onTheirWay.isEmpty() || !othersMayHelp(pod))
                .toList();
        if (sleeping.isEmpty() && gated.isEmpty()) {
            return;
        }
        Picture picture = Picture.of(told, onTheirWay);
        for (Pod pod : gated) {
            if (picture.devices().mayBeTried(pod)) {
                throw new Violation(replica + " gives " + pod.key() + " no turn, though its claims are there");
            }
        }
        // these have devices left to them, too, and nobody knows which
        boolean areDevicesLeft = queue.stream()
                .filter(entry -> !entry.nominatedNode().isEmpty())
                .flatMap(entry -> told.podOfKey(entry.key()).stream())
                .anyMatch(DeviceUse::concerns);
        for (Pod pod : sleeping) {
            boolean othersMayHelp = !onTheirWay.isEmpty() && picture.policies().govern(pod);
            if (Gangs.of(pod).isPresent() || othersMayHelp || (areDevicesLeft && DeviceUse.concerns(pod))) {
                continue;
            }
            Optional<String> node = picture.nodeFor(pod, name -> ahead(pod, name, told, onTheirWay, queue));
            if (node.isPresent()) {
                throw new Violation(replica + " lets " + pod.key() + " sleep, though it fits on " + node.get());
            }
        }
        if (sleeping.stream().anyMatch(pod -> Gangs.of(pod).isPresent())) {
            gangs.check(
                    told,
                    onTheirWay,
                    queue,
                    picture,
                    (pod, node) -> ahead(pod, node, told, onTheirWay, queue).stream()
                            .filter(other -> !Gangs.of(other).equals(Gangs.of(pod)))
                            .toList());
        }
    }

    /** The pods that wait or that extenders are asked about, are nominated to the node and are as important. */
    private static List<Pod> ahead(
            Pod pod, String node, Told told, Collection<OnItsWay> onTheirWay, List<QueueEntryView> queue) {
        Stream<Pod> nominated = queue.stream()
                .filter(entry -> entry.nominatedNode().equals(node)
                        && !entry.key().equals(pod.key())
                        && !isDecided(entry, onTheirWay))
                .flatMap(entry -> told.podOfKey(entry.key()).stream())
                .filter(other -> other.spec().priority() >= pod.spec().priority());
        return Stream.concat(nominated, Told.ahead(pod, node, told.held()).stream())
                .toList();
    }

    private static boolean isDecided(QueueEntryView entry, Collection<OnItsWay> onTheirWay) {
        return entry.state() == QueueState.IN_FLIGHT
                && onTheirWay.stream().anyMatch(each -> each.pod().key().equals(entry.key()));
    }

    static boolean othersMayHelp(Pod pod) {
        return !pod.spec().podAffinity().requiredAffinity().isEmpty()
                || !pod.spec().topologySpread().isEmpty();
    }
}
