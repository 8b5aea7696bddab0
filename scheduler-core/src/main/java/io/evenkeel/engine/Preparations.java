package io.evenkeel.engine;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.Preparation;
import io.evenkeel.api.Preparation.ObjectName;
import io.evenkeel.api.Preparation.Progress;
import io.evenkeel.engine.PodBinding.Stage;
import io.evenkeel.engine.SchedulerObserver.WaitResult;
import io.evenkeel.framework.ReversiblePreparation;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The pods that count on their nodes, and for which objects are written and awaited before they are bound: their volumes and
 * devices.
 *
 * <pre>
 *   stage      what comes                                next
 *   WRITE      written                                   WRITE, while there is more to be written; then AWAIT
 *              refused                                   its place is free; it waits again
 *              no answer                                 AWAIT, until the object has changed; then as if refused
 *   AWAIT      an awaited object, or a second later      bound, where all is there
 *                                                        its place is free, where nothing will come of it; it waits again
 *   any        the watch shows it on a node, or gone     it counts there, or nowhere
 * </pre>
 */
final class Preparations {
    private static final String POINT = "PreBind";
    private static final long CHECK_EVERY = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_DOUBT = TimeUnit.SECONDS.toNanos(10);

    private final Map<String, Underway> byUid = new LinkedHashMap<>();
    /** Pods that wait for the same are looked at in the order in which they began to, in a replay as in the run. */
    private final Map<ObjectName, Set<Underway>> awaiting = new HashMap<>();

    private final Engine engine;
    private final Bindings bindings;
    private final AttemptOutcomes outcomes;
    private final Consumer<? super Command> commands;
    private final SchedulerObserver observer;
    private final LongSupplier clock;
    private long nextCheck;

    private static final class Underway {
        final PodBinding binding;
        /** At least one. */
        final Map<String, Preparation> byPlugin;

        final Queue<Write> unwritten = new ArrayDeque<>();
        /** What objects are as earlier writes left them. */
        final Map<ObjectName, ObjectMeta> left = new HashMap<>();

        /** Nothing was heard of it, and it may have been made. */
        Optional<Doubt> doubt = Optional.empty();

        long writtenAt;
        boolean isLate;
        Set<ObjectName> awaited = Set.of();

        record Write(String plugin, Preparation by, ObjectPatch patch) {
            ObjectName object() {
                return new ObjectName(patch.kind().name(), patch.object().key());
            }

            String refusal(String why) {
                String told = by instanceof ReversiblePreparation reversible ? reversible.refusal(patch, why) : why;
                return PluginFailure.text(plugin, POINT, told);
            }
        }

        /** @param before the version that the object has if it was not made */
        record Doubt(String before, String message) {}

        Underway(PodBinding binding) {
            this.binding = binding;
            this.byPlugin = binding.steps().preparations();
            byPlugin.forEach((plugin, preparation) ->
                    preparation.writes().forEach(patch -> unwritten.add(new Write(plugin, preparation, patch))));
        }

        /** The write, of the object as the earlier ones left it. */
        ObjectPatch current(Write write) {
            ObjectPatch patch = write.patch;
            ObjectMeta object = left.getOrDefault(write.object(), patch.object());
            return new ObjectPatch(patch.kind(), object, patch.changes(), patch.form());
        }

        void wrote(Write write, CommandResult.Written now) {
            if (!now.resourceVersion().isEmpty()) {
                ObjectMeta object = write.patch.object();
                left.put(
                        write.object(),
                        new ObjectMeta(
                                object.namespace(),
                                object.name(),
                                now.uid(),
                                object.labels(),
                                object.annotations(),
                                object.controller(),
                                object.terminating(),
                                now.resourceVersion(),
                                object.generation()));
            }
            if (write.by instanceof ReversiblePreparation reversible) {
                reversible.wrote(write.patch);
            }
        }

        Stream<ReversiblePreparation> reversible() {
            return byPlugin.values().stream()
                    .filter(ReversiblePreparation.class::isInstance)
                    .map(ReversiblePreparation.class::cast);
        }

        /**
         * How far all of them have come.
         *
         * @param waited since the writes
         */
        Progress progress(Duration waited) {
            Set<ObjectName> missing = new HashSet<>();
            boolean isDone = true;
            for (Map.Entry<String, Preparation> each : byPlugin.entrySet()) {
                switch (progress(each.getValue(), waited)) {
                    case Progress.Done _ -> {}
                    case Progress.Waiting(Set<ObjectName> on) -> {
                        isDone = false;
                        missing.addAll(on);
                    }
                    case Progress.Failed(String why) -> {
                        return new Progress.Failed(PluginFailure.text(each.getKey(), POINT, why));
                    }
                }
            }
            return isDone ? Progress.DONE : new Progress.Waiting(missing);
        }

        private Progress progress(Preparation preparation, Duration waited) {
            Progress progress;
            try {
                progress = preparation.progress();
            } catch (Throwable thrown) {
                return new Progress.Failed(String.valueOf(thrown));
            }
            isLate = progress instanceof Progress.Waiting && waited.compareTo(preparation.timeLimit()) >= 0;
            return isLate ? new Progress.Failed(preparation.lateness()) : progress;
        }
    }

    Preparations(
            Engine engine,
            Bindings bindings,
            AttemptOutcomes outcomes,
            Consumer<? super Command> commands,
            SchedulerObserver observer,
            LongSupplier clock) {
        this.engine = engine;
        this.bindings = bindings;
        this.outcomes = outcomes;
        this.commands = commands;
        this.observer = observer;
        this.clock = clock;
    }

    /** The pod counts on its node and may be bound, once all is there that it needs. */
    void begin(PodBinding binding) {
        outcomes.accepted(binding);
        if (binding.steps().preparations().isEmpty()) {
            bindings.begin(binding);
            return;
        }
        if (byUid.isEmpty()) {
            nextCheck = clock.getAsLong() + CHECK_EVERY;
        }
        Underway underway = new Underway(binding);
        byUid.put(uidOf(binding), underway);
        binding.enter(Stage.WRITE, Long.MAX_VALUE);
        binding.steps().beginPreparing();
        if (!writesNext(underway)) {
            awaitFromNow(underway);
            nextCheck = underway.writtenAt;
        }
    }

    /** Each write is a command of its own: a pod with a thousand claims holds up none with one. */
    private boolean writesNext(Underway underway) {
        Underway.Write next = underway.unwritten.peek();
        if (next == null) {
            return false;
        }
        try {
            commands.accept(new Command.WriteObject(underway.binding.pod(), underway.current(next)));
        } catch (Throwable notSent) {
            forget(underway);
            throw notSent;
        }
        return true;
    }

    private void awaitFromNow(Underway underway) {
        underway.binding.enter(Stage.AWAIT, Long.MAX_VALUE);
        underway.writtenAt = clock.getAsLong();
        underway.reversible()
                .flatMap(preparation -> preparation.notice().stream())
                .forEach(notice -> outcomes.awaits(underway.binding, notice));
    }

    boolean holds(Pod pod) {
        return byUid.containsKey(pod.meta().uid());
    }

    Collection<PodBinding> all() {
        return byUid.values().stream().map(underway -> underway.binding).toList();
    }

    void took(CommandResult.OfPreparation result) {
        Underway underway = byUid.get(result.pod().meta().uid());
        if (underway == null || underway.binding.stage() != Stage.WRITE) {
            return;
        }
        Underway.Write write = underway.unwritten.remove();
        switch (result) {
            case CommandResult.Written written -> {
                observer.wrote(write.patch(), true);
                underway.wrote(write, written);
                if (!writesNext(underway)) {
                    awaitFromNow(underway);
                    check(underway);
                }
            }
            case CommandResult.NotWritten(var _, var failure, String message) -> {
                observer.wrote(write.patch(), false);
                switch (failure) {
                    case FAILED -> fail(underway, write.refusal(message));
                    case UNKNOWN -> doubt(underway, write, message);
                    case NOT_LEADING -> {
                        forget(underway);
                        outcomes.notSent(underway.binding);
                    }
                }
            }
            case CommandResult.OnlySaid _ -> {
                if (!writesNext(underway)) {
                    finish(underway);
                }
            }
        }
    }

    /** What was written may count already, so its place is not free before the object has changed, or no answer can be on its way. */
    private void doubt(Underway underway, Underway.Write write, String message) {
        underway.doubt = Optional.of(
                new Underway.Doubt(underway.current(write).object().resourceVersion(), write.refusal(message)));
        underway.binding.enter(Stage.AWAIT, Long.MAX_VALUE);
        underway.writtenAt = clock.getAsLong();
        await(underway, Set.of(write.object()));
    }

    void changed(KubernetesObject object) {
        if (!awaiting.isEmpty()) {
            ObjectName name = new ObjectName(object.kindName(), object.meta().key());
            for (Underway underway : List.copyOf(awaiting.getOrDefault(name, Set.of()))) {
                underway.doubt.ifPresentOrElse(
                        doubt -> {
                            if (!object.meta().isOfVersion(doubt.before())) {
                                fail(underway, doubt.message());
                            }
                        },
                        () -> check(underway));
            }
        }
    }

    private void check(Underway underway) {
        long nanos = clock.getAsLong() - underway.writtenAt;
        if (underway.doubt.isPresent()) {
            if (nanos >= LONGEST_DOUBT) {
                fail(underway, underway.doubt.get().message());
            }
            return;
        }
        switch (underway.progress(Duration.ofNanos(nanos))) {
            case Progress.Done _ -> finish(underway);
            case Progress.Failed(String why) -> fail(underway, why);
            case Progress.Waiting(Set<ObjectName> on) -> await(underway, on);
        }
    }

    private void await(Underway underway, Set<ObjectName> objects) {
        if (!objects.equals(underway.awaited)) {
            awaitNothing(underway);
            underway.awaited = objects;
            objects.forEach(name ->
                    awaiting.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add(underway));
        }
    }

    private void awaitNothing(Underway underway) {
        underway.awaited.forEach(name -> awaiting.computeIfPresent(name, (_, those) -> {
            those.remove(underway);
            return those.isEmpty() ? null : those;
        }));
        underway.awaited = Set.of();
    }

    private void finish(Underway underway) {
        waited(underway, WaitResult.SUCCESS);
        end(underway);
        bindings.begin(underway.binding);
    }

    private void fail(Underway underway, String message) {
        waited(underway, underway.isLate ? WaitResult.TIMEOUT : WaitResult.FAILURE);
        underway.binding.steps().failPreparing();
        forget(underway);
        outcomes.notBound(underway.binding, message);
    }

    private void waited(Underway underway, WaitResult result) {
        if (underway.binding.stage() == Stage.AWAIT && underway.doubt.isEmpty()) {
            String profile = underway.binding.pod().spec().schedulerName();
            long nanos = clock.getAsLong() - underway.writtenAt;
            underway.reversible()
                    .flatMap(preparation -> preparation.drivers().stream())
                    .forEach(driver -> observer.waitedForDevices(profile, driver, result, nanos));
        }
    }

    private void forget(Underway underway) {
        end(underway);
        engine.forget(underway.binding.pod(), underway.binding.steps());
    }

    private void end(Underway underway) {
        byUid.remove(uidOf(underway.binding));
        awaitNothing(underway);
    }

    private static String uidOf(PodBinding binding) {
        return binding.pod().meta().uid();
    }

    void sawPlaced(Pod pod) {
        take(pod.meta().uid()).ifPresent(outcomes::overtaken);
    }

    void sawGone(String uid) {
        take(uid).ifPresent(outcomes::vanished);
    }

    private Optional<PodBinding> take(String uid) {
        Optional<Underway> found = Optional.ofNullable(byUid.get(uid));
        found.ifPresent(this::end);
        return found.map(underway -> {
            underway.binding.steps().takeBack();
            return underway.binding;
        });
    }

    /** Looks at all that wait: nodes may have changed, and time is up for some. */
    void tick() {
        long now = clock.getAsLong();
        if (byUid.isEmpty() || now - nextCheck < 0) {
            return;
        }
        nextCheck = now + CHECK_EVERY;
        byUid.values().stream()
                .filter(underway -> underway.binding.stage() == Stage.AWAIT)
                .toList()
                .forEach(this::check);
    }

    OptionalLong nextDeadline() {
        return byUid.isEmpty() ? OptionalLong.empty() : OptionalLong.of(nextCheck);
    }
}
