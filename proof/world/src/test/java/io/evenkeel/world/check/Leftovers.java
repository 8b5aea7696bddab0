package io.evenkeel.world.check;

import io.evenkeel.engine.Scheduler;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * That a scheduler keeps nothing of objects that are gone, or what it keeps would grow for as long as it runs. All that
 * can be reached from it is looked at, field by field, so that nothing has to be known of what there is:
 *
 * <pre>
 * Scheduler.bindings → Bindings.byUid → key 00000000-0000-0000-0000-00000000000b    of a pod that there is: well
 * Scheduler.queue → … → InFlightChanges.flights → default/pod-7                      of one that is gone: kept in vain
 * </pre>
 */
public final class Leftovers {
    private static final Pattern NAMING =
            Pattern.compile("(default|team|kube-system)/.+|0{8}-0{4}-0{4}-0{4}-[0-9a-f]{12}");

    /** Where the last is kept for the next: one, however many come and go; or some, and no more than so many. */
    private static final Set<String> FEW = Set.of(
            "MatchingTerms.pod",
            "FitWakeUps.lastChange",
            "Workloads.remembered",
            "DeviceBook.lastPlan",
            "Kept.filters",
            "SchedulingCycle.state");

    private static final List<String> OTHERS =
            List.of("io.evenkeel.world.", "io.evenkeel.app.", "io.evenkeel.kube.", "io.evenkeel.config.");

    private static final Map<Class<?>, List<Field>> FIELDS = new ConcurrentHashMap<>();

    private final Set<String> there;
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Reached> open = new ArrayDeque<>();

    /** Something, and the way that leads to it. */
    private record Reached(Object object, @Nullable Reached from, String by) {
        @Override
        public String toString() {
            return from == null ? by : from + " → " + by;
        }
    }

    /** @param there the keys and UIDs of all objects that there are */
    public Leftovers(Set<String> there) {
        this.there = there;
    }

    public void check(Scheduler scheduler) {
        reach(scheduler, null, "Scheduler");
        while (!open.isEmpty()) {
            look(open.remove());
        }
    }

    private void reach(@Nullable Object object, @Nullable Reached from, String by) {
        if (object != null && isLookedInto(object.getClass()) && seen.add(object)) {
            open.add(new Reached(object, from, by));
        }
    }

    /** Not the rest of the process, which the scheduler only calls. */
    private static boolean isLookedInto(Class<?> type) {
        return OTHERS.stream().noneMatch(type.getName()::startsWith);
    }

    private void look(Reached reached) {
        switch (reached.object) {
            case String text -> {
                if (NAMING.matcher(text).matches()) {
                    mustBeThere(text, reached);
                }
            }
            case Pod pod -> mustBeThere(pod.meta().uid(), reached);
            case Node node -> mustBeThere(node.meta().uid(), reached);
            case Optional<?> optional -> reach(optional.orElse(null), reached, "value");
            case Map<?, ?> map ->
                map.forEach((key, value) -> {
                    reach(key, reached, "key");
                    reach(value, reached, "of " + key);
                });
            case Collection<?> all -> all.forEach(each -> reach(each, reached, "element"));
            case Object[] all -> {
                for (int at = 0; at < all.length; at++) {
                    reach(all[at], reached, "[" + at + "]");
                }
            }
            default -> fields(reached);
        }
    }

    private void mustBeThere(String name, Reached reached) {
        if (!there.contains(name)) {
            throw new Violation("kept in vain is " + name + ": " + reached);
        }
    }

    private void fields(Reached reached) {
        Class<?> type = reached.object.getClass();
        if (type.getName().startsWith("io.evenkeel.")) {
            for (Field field : FIELDS.computeIfAbsent(type, Leftovers::fieldsOf)) {
                String name = type.getSimpleName() + "." + field.getName();
                try {
                    if (!FEW.contains(name)) {
                        reach(field.get(reached.object), reached, name);
                    }
                } catch (IllegalAccessException impossible) {
                    throw new IllegalStateException(impossible);
                }
            }
        }
    }

    private static List<Field> fieldsOf(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> each = type;
                each != null && each.getName().startsWith("io.evenkeel.");
                each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    fields.add(field);
                }
            }
        }
        return List.copyOf(fields);
    }
}
