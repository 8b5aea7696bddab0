package io.evenkeel.world.exhaustive;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a replica knows and plans, read out of its fields as text, as no dump says as much: bindings with their stages, the
 * queue with its backoffs and with the changes that it keeps for pods in flight, relists underway, jobs that wait.
 *
 * <p>Left out is what makes no difference to what happens: what is the same in all worlds, versions, numbers of rows, counts
 * of attempts that only metrics read. Numbers that only order things are replaced by the order.
 */
final class Inside {
    /** Parts of the product that are the same in every world, or whose state is told otherwise. */
    private static final Set<String> LEFT_OUT = Set.of(
            "admission",
            "admitted",
            "profiles",
            "profile",
            "observer",
            "settings",
            "clock",
            "commands",
            "engine",
            "outcomes",
            "steps",
            "random",
            "budget",
            "events",
            "turns",
            "underway",
            "active",
            "backoff",
            "unschedulable",
            "sleeping",
            "stopwatch",
            "listenersByProfile",
            "order",
            "heapIndex",
            "sequence",
            "inFlightChanges",
            "attempts",
            "firstActiveAt",
            "wasActive",
            "number",
            "startedAt",
            "queued",
            "stateSince",
            "readySince",
            "heldBack",
            "resting");

    private static final Map<Class<?>, List<Field>> FIELDS = new ConcurrentHashMap<>();

    private final StringBuilder text;
    private final IdentityHashMap<Object, Boolean> seen = new IdentityHashMap<>();

    Inside(StringBuilder text) {
        this.text = text;
    }

    void of(SteppedReplica replica) {
        for (News news : List.of(replica.nodes(), replica.pods())) {
            text.append('\n').append(Fingerprint.described(news.all())).append(news.middle());
        }
        replica.errands().stream().map(Errand::toString).sorted().forEach(errand -> line("errand", errand));
        line("cluster", cluster(replica.scheduler().cluster()));
        Object queue = replica.scheduler().queue();
        Collection<?> entries = new ArrayList<>(((Map<?, ?>) value(value(queue, "entries"), "byKey")).values());
        line("queue", entries);
        line("turns", inOrder(entries));
        line("in flight", missed(value(value(queue, "states"), "inFlightChanges")));
        line("bindings", value(value(replica.scheduler(), "bindings"), "byUid"));
        line("next check", value(value(replica.scheduler(), "bindings"), "nextCheck"));
        line("sweep", value(replica.scheduler(), "sweep"));
        line("plan", value(replica.plan(), "pods"));
    }

    private void line(String what, Object object) {
        text.append('\n').append(what).append(": ");
        append(object);
    }

    private static Set<String> cluster(ClusterView cluster) {
        Set<String> cells = new TreeSet<>();
        for (int node = 0; node < cluster.nodes().end(); node++) {
            if (cluster.nodes().isPresent(node)) {
                cells.add(described(cluster.nodes().node(node)));
            }
        }
        for (Pod pod : cluster.placedPods()) {
            int row = cluster.pods().find(pod.key());
            cells.add(described(pod) + " in "
                    + cluster.nodes().name(cluster.pods().node(row))
                    + (cluster.isAssumed(pod.key()) ? " assumed" : ""));
        }
        return cells;
    }

    /** Pods whose turn comes at the same time take it in this order. */
    private static List<String> inOrder(Collection<?> entries) {
        Map<Long, String> ordered = new TreeMap<>();
        entries.forEach(entry -> ordered.put((Long) value(entry, "sequence"), described(value(entry, "pod"))));
        return List.copyOf(ordered.values());
    }

    /** The changes that are kept for each pod in flight. */
    private static Map<String, List<Object>> missed(Object inFlight) {
        Map<String, List<Object>> missed = new TreeMap<>();
        List<?> changes = (List<?>) value(inFlight, "changes");
        long forgotten = (Long) value(inFlight, "forgotten");
        ((Map<?, ?>) value(inFlight, "flights")).forEach((entry, flight) -> {
            List<Object> all = new ArrayList<>((List<?>) value(flight, "own"));
            all.addAll(changes.subList((int) ((Long) value(flight, "changesBefore") - forgotten), changes.size()));
            missed.put(described(value(entry, "pod")), all);
        });
        return missed;
    }

    /** What counts of an object, or whatever else it is. */
    static String described(Object object) {
        return switch (object) {
            case Pod pod ->
                pod.name() + " " + pod.meta().uid() + " on " + pod.spec().nodeName() + " "
                        + pod.status().scheduled();
            case PodInfo info -> described(info.pod());
            case Node node -> node.name() + " " + node.meta().uid() + " " + node.allocatable();
            case KubernetesObject other -> other.meta().key();
            case io.evenkeel.engine.SchedulerEvent.ClusterEvent.Put(var put) -> "put " + described(put);
            case io.evenkeel.engine.SchedulerEvent.ClusterEvent.Removed(var removed) -> "removed " + described(removed);
            default -> object.toString();
        };
    }

    private void append(Object object) {
        switch (object) {
            case null -> text.append('-');
            case String string -> text.append(string);
            case Number number -> text.append(number);
            case Boolean truth -> text.append(truth);
            case Enum<?> constant -> text.append(constant);
            case KubernetesObject known -> text.append(described(known));
            case PodInfo info -> text.append(described(info));
            case Optional<?> optional -> append(optional.orElse(null));
            case Map<?, ?> map -> appendMap(map);
            case Collection<?> collection -> appendAll(collection);
            default -> appendFields(object);
        }
    }

    private void appendMap(Map<?, ?> map) {
        Map<String, Object> sorted = new TreeMap<>();
        map.forEach((key, value) -> sorted.put(asText(key), value));
        text.append('{');
        sorted.forEach((key, value) -> {
            text.append(key).append('=');
            append(value);
            text.append(' ');
        });
        text.append('}');
    }

    private String asText(Object object) {
        int begin = text.length();
        append(object);
        String part = text.substring(begin);
        text.setLength(begin);
        return part;
    }

    private void appendAll(Collection<?> collection) {
        List<String> parts = new ArrayList<>();
        collection.forEach(each -> parts.add(asText(each)));
        if (collection.getClass() == HashSet.class) {
            parts.sort(null);
        }
        text.append(parts);
    }

    private void appendFields(Object object) {
        Class<?> type = object.getClass();
        if (type.isHidden() || !type.getName().startsWith("io.evenkeel.")) {
            return;
        }
        if (type.getSimpleName().equals("Listener")) {
            text.append(value(object, "plugin"));
            return;
        }
        if (seen.put(object, true) != null) {
            text.append("^");
            return;
        }
        text.append(type.getSimpleName()).append('(');
        for (Field field : fields(type)) {
            text.append(field.getName()).append('=');
            append(read(field, object));
            text.append(' ');
        }
        text.append(')');
        seen.remove(object);
    }

    private static List<Field> fields(Class<?> type) {
        return FIELDS.computeIfAbsent(type, of -> {
            List<Field> fields = new ArrayList<>();
            for (Field field : of.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !LEFT_OUT.contains(field.getName())) {
                    field.setAccessible(true);
                    fields.add(field);
                }
            }
            return List.copyOf(fields);
        });
    }

    private static final Map<Class<?>, Map<String, Field>> NAMED = new ConcurrentHashMap<>();

    /** A field that is there, whatever else changes; a test fails where it is not. */
    private static Object value(Object object, String name) {
        Field field = NAMED.computeIfAbsent(object.getClass(), _ -> new ConcurrentHashMap<>())
                .computeIfAbsent(name, wanted -> {
                    try {
                        Field found = object.getClass().getDeclaredField(wanted);
                        found.setAccessible(true);
                        return found;
                    } catch (NoSuchFieldException renamed) {
                        throw new IllegalStateException(renamed);
                    }
                });
        return read(field, object);
    }

    private static Object read(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
