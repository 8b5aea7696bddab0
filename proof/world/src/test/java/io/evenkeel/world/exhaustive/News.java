package io.evenkeel.world.exhaustive;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.KubernetesObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * What one replica is told of one kind: what the log has, from where it has got to, after what is left of a list where it
 * had to list again.
 */
final class News {
    private final String kind;
    private final List<SchedulerEvent> log;
    private final Deque<SchedulerEvent> listed = new ArrayDeque<>();
    private final List<SchedulerEvent> listedBefore = new ArrayList<>();
    private int told;

    News(String kind, List<SchedulerEvent> log) {
        this.kind = kind;
        this.log = log;
    }

    boolean isEmpty() {
        return listed.isEmpty() && told == log.size();
    }

    SchedulerEvent next() {
        if (listed.isEmpty()) {
            return log.get(told++);
        }
        SchedulerEvent event = listed.removeFirst();
        listedBefore.add(event);
        if (listed.isEmpty()) {
            listedBefore.clear();
        }
        return event;
    }

    /** What comes next, without taking it. */
    SchedulerEvent peek() {
        return listed.isEmpty() ? log.get(told) : listed.getFirst();
    }

    /** Lists anew what there is now. */
    void listNow(Collection<KubernetesObject> all) {
        list(all);
        told = log.size();
    }

    /** Lists what there was in the beginning, from a server that has heard of nothing since, and goes on from there. */
    void listOld(Collection<KubernetesObject> first) {
        list(first);
        told = 0;
    }

    private void list(Collection<KubernetesObject> objects) {
        listed.clear();
        listedBefore.clear();
        listed.add(new Relist.Began(kind));
        objects.stream()
                .filter(object -> object.kindName().equals(kind))
                .forEach(object -> listed.add(new ClusterEvent.Put(object)));
        listed.add(new Relist.Ended(kind));
    }

    /** How much there is to tell. */
    int size() {
        return listed.size() + log.size() - told;
    }

    /** All that it will tell and, where it is in the middle of a list, what of it has been told. */
    List<SchedulerEvent> all() {
        List<SchedulerEvent> all = new ArrayList<>(listedBefore);
        all.addAll(listed);
        all.addAll(log.subList(told, log.size()));
        return all;
    }

    int middle() {
        return listedBefore.size();
    }
}
