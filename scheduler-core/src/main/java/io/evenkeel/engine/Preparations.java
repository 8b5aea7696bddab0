package io.evenkeel.engine;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.Preparation;
import io.evenkeel.api.Preparation.ObjectName;
import io.evenkeel.api.Preparation.Progress;
import io.evenkeel.engine.CommandResult.WriteFailure;
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
 *              no answer                                 AWAIT: as if refused once the object has changed; WRITE again after a second
 *   AWAIT      an awaited object, or a second later      bound, where all is there
 *                                                        its place is free, where nothing will come of it; it waits again
 *              an earlier pod has written the object     WRITE, of what does not ask for a version of it
 *   any        the watch shows it on a node, or gone     it counts there, or nowhere
 * </pre>
 */
final class Preparations {
    private static final String POINT = "PreBind";
    private static final long CHECK_EVERY = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_DOUBT = TimeUnit.SECONDS.toNanos(60);

    private final Map<String, Underway> byUid = new LinkedHashMap<>();
    /** Of pods that are gone, or that somebody else has bound: nothing is taken back before it is known what was written. */
    private final Map<String, Underway> over = new LinkedHashMap<>();
    /** Pods that wait for the same are looked at in the order in which they began to, in a replay as in the run. */
    private final Map<ObjectName, Set<Underway>> awaiting = new HashMap<>();
    /** Who is to write an object of a certain version: what later pods write of whatever version builds upon that. */
    private final Map<ObjectName, Underway> writing = new HashMap<>();

    private final Engine engine;
    private final Bindings bindings;
    private final AttemptOutcomes outcomes;
    private final Consumer<? super Command> commands;
    private final SchedulerObserver observer;
    private final LongSupplier clock;
    private long nextCheck;
    private long begun;

    private static final class Underway {
        final PodBinding binding;
        /** The earlier, the lower. */
        final long number;

        /** At least one. */
        final Map<String, Preparation> byPlugin;

        final Queue<Write> unwritten = new ArrayDeque<>();
        /** What objects are as earlier writes left them. */
        final Map<ObjectName, ObjectMeta> left = new HashMap<>();

        /** Nothing was heard of the write that is next, and it may have been made. */
        Optional<Doubt> doubt = Optional.empty();

        long writtenAt;
        boolean isLate;
        Set<ObjectName> awaited = Set.of();

        record Write(String plugin, Preparation by, ObjectPatch patch) {
            ObjectName object() {
                return new ObjectName(patch.kind().name(), patch.object().key());
            }

            boolean isOfVersion() {
                return !patch.object().resourceVersion().isEmpty();
            }

            String refusal(String why) {
                String told = by instanceof ReversiblePreparation reversible ? reversible.refusal(patch, why) : why;
                return PluginFailure.text(plugin, POINT, told);
            }
        }

        /**
         * What tells of a write whether it was made.
         *
         * @param before versions that its object has, or is shown to have, if it was not
         * @param isRefused whether it was tried again, and refused: then it is known as soon as the object has changed
         */
        record Doubt(ObjectName object, Set<String> before, String message, boolean isRefused) {}

        Underway(PodBinding binding, long number) {
            this.binding = binding;
            this.number = number;
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
                reversible.wrote(write.patch, now.uid(), now.resourceVersion(), now.at());
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
        if (isIdle()) {
            nextCheck = clock.getAsLong() + CHECK_EVERY;
        }
        Underway underway = new Underway(binding, begun++);
        byUid.put(uidOf(binding), underway);
        underway.unwritten.stream()
                .filter(Underway.Write::isOfVersion)
                .forEach(write -> writing.putIfAbsent(write.object(), underway));
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
        if (comesLater(underway, next)) {
            underway.binding.enter(Stage.AWAIT, Long.MAX_VALUE);
            await(underway, Set.of(next.object()));
        } else {
            write(underway, next);
        }
        return true;
    }

    private boolean comesLater(Underway underway, Underway.Write next) {
        Underway first = writing.get(next.object());
        return first != null && first.number < underway.number && !next.isOfVersion();
    }

    private void write(Underway underway, Underway.Write next) {
        awaitNothing(underway);
        underway.binding.enter(Stage.WRITE, Long.MAX_VALUE);
        try {
            commands.accept(new Command.WriteObject(underway.binding.pod(), underway.current(next)));
        } catch (Throwable notSent) {
            forget(underway);
            throw notSent;
        }
    }

    /** Later ones may write the object, unless this one is to write more of it. */
    private void release(Underway underway, Underway.Write written) {
        ObjectName object = written.object();
        boolean isMoreToCome = underway.unwritten.stream()
                .anyMatch(write -> write.isOfVersion() && write.object().equals(object));
        if (!isMoreToCome && writing.remove(object, underway)) {
            checkThoseThatAwait(object);
        }
    }

    /** What is not written yet will not be. */
    private void releaseAll(Underway underway) {
        for (Underway.Write next = underway.unwritten.poll(); next != null; next = underway.unwritten.poll()) {
            release(underway, next);
        }
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
        String uid = result.pod().meta().uid();
        Underway underway = byUid.getOrDefault(uid, over.get(uid));
        if (underway == null || underway.binding.stage() != Stage.WRITE) {
            return;
        }
        Underway.Write write = underway.unwritten.element();
        switch (result) {
            case CommandResult.Written written -> {
                observer.wrote(write.patch(), true);
                underway.unwritten.remove();
                underway.doubt = Optional.empty();
                underway.wrote(write, written);
                if (over.containsKey(uid)) {
                    takeBack(underway);
                } else if (!writesNext(underway)) {
                    awaitFromNow(underway);
                    check(underway);
                }
                release(underway, write);
            }
            case CommandResult.NotWritten(var _, var failure, String message) -> {
                observer.wrote(write.patch(), false);
                notWritten(underway, write, failure, message);
            }
            case CommandResult.OnlySaid _ -> {
                underway.unwritten.remove();
                if (over.containsKey(uid)) {
                    takeBack(underway);
                } else if (!writesNext(underway)) {
                    finish(underway);
                }
                release(underway, write);
            }
        }
    }

    private void notWritten(Underway underway, Underway.Write write, WriteFailure failure, String message) {
        boolean isUnclear = failure == WriteFailure.UNKNOWN || underway.doubt.isPresent();
        if (failure == WriteFailure.NOT_LEADING && underway.doubt.isEmpty()) {
            end(underway, () -> outcomes.notSent(underway.binding));
        } else if (isUnclear) {
            Set<String> before = new HashSet<>();
            before.add(write.patch().object().resourceVersion());
            before.add(underway.current(write).object().resourceVersion());
            String told = underway.doubt.map(Underway.Doubt::message).orElseGet(() -> write.refusal(message));
            // without the lease it is tried again until that is held, or all ends
            boolean isRefused = failure == WriteFailure.FAILED || failure == WriteFailure.OVERTAKEN;
            underway.doubt = Optional.of(new Underway.Doubt(write.object(), before, told, isRefused));
            underway.binding.enter(Stage.AWAIT, Long.MAX_VALUE);
            underway.writtenAt = clock.getAsLong();
            await(underway, Set.of(write.object()));
            check(underway);
        } else {
            fail(underway, write.refusal(message));
        }
    }

    void changed(KubernetesObject object) {
        if (!awaiting.isEmpty()) {
            checkThoseThatAwait(new ObjectName(object.kindName(), object.meta().key()));
        }
    }

    private void checkThoseThatAwait(ObjectName object) {
        List.copyOf(awaiting.getOrDefault(object, Set.of())).forEach(this::check);
    }

    private void check(Underway underway) {
        if (underway.binding.stage() != Stage.AWAIT) {
            return;
        }
        long nanos = clock.getAsLong() - underway.writtenAt;
        if (underway.doubt.isPresent()) {
            resolve(underway, underway.doubt.get(), nanos);
            return;
        }
        if (writesNext(underway)) {
            return;
        }
        switch (underway.progress(Duration.ofNanos(nanos))) {
            case Progress.Done _ -> finish(underway);
            case Progress.Failed(String why) -> fail(underway, why);
            case Progress.Waiting(Set<ObjectName> on) -> await(underway, on);
        }
    }

    /**
     * Whether the write was made shows once the object has another version than it was made from; until then what it gave to the pod
     * may be the pod's. It is tried again meanwhile: made from one version, two of a kind are made once at most.
     */
    private void resolve(Underway underway, Underway.Doubt doubt, long nanos) {
        boolean hasChanged = engine.cluster()
                .objects()
                .find(doubt.object().kind(), doubt.object().key())
                .filter(now -> doubt.before().contains(now.meta().resourceVersion()))
                .isEmpty();
        boolean isOver = over.containsKey(uidOf(underway.binding));
        if (hasChanged || (nanos >= LONGEST_DOUBT && (doubt.isRefused() || isOver))) {
            fail(underway, doubt.message());
        } else if (nanos >= CHECK_EVERY && !doubt.isRefused() && !isOver) {
            write(underway, underway.unwritten.element());
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
        end(underway, () -> {
            waited(underway, underway.isLate ? WaitResult.TIMEOUT : WaitResult.FAILURE);
            underway.binding.steps().failPreparing();
            outcomes.notBound(underway.binding, message);
        });
    }

    /** Its place is free, or was already. */
    private void end(Underway underway, Runnable conclusion) {
        if (over.containsKey(uidOf(underway.binding))) {
            takeBack(underway);
        } else {
            forget(underway);
            conclusion.run();
        }
    }

    private void takeBack(Underway underway) {
        over.remove(uidOf(underway.binding));
        awaitNothing(underway);
        underway.binding.steps().takeBack();
        outcomes.reservationIsFree(underway.binding);
        releaseAll(underway);
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
        releaseAll(underway);
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
        Optional<Underway> found = Optional.ofNullable(byUid.remove(uid));
        found.ifPresent(underway -> {
            over.put(uid, underway);
            if (underway.binding.stage() != Stage.WRITE && underway.doubt.isEmpty()) {
                takeBack(underway);
            }
        });
        return found.map(underway -> underway.binding);
    }

    /** Looks at all that wait: nodes may have changed, and time is up for some. */
    void tick() {
        long now = clock.getAsLong();
        if (isIdle() || now - nextCheck < 0) {
            return;
        }
        nextCheck = now + CHECK_EVERY;
        Stream.concat(byUid.values().stream(), over.values().stream()).toList().forEach(this::check);
    }

    private boolean isIdle() {
        return byUid.isEmpty() && over.isEmpty();
    }

    OptionalLong nextDeadline() {
        return isIdle() ? OptionalLong.empty() : OptionalLong.of(nextCheck);
    }
}
