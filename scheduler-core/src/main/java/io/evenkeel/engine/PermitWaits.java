package io.evenkeel.engine;

import io.evenkeel.api.Status;
import io.evenkeel.api.WaitingPod;
import io.evenkeel.api.WaitingPods;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.framework.run.BindingSteps.Permission;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.model.Pod;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The pods that wait for permits, by UID and by when the first plugin's time is up, and those of which something was
 * said that is still to be heeded. The engine's thread begins and ends waits; any thread may look them up.
 *
 * <p>To begin and to end a wait takes O(log n).
 */
final class PermitWaits implements WaitingPods {
    private final Map<String, PermitWait> byUid = new ConcurrentHashMap<>();
    private final NavigableSet<PermitWait> byEnd =
            new TreeSet<>(Comparator.comparingLong(PermitWait::end).thenComparingLong(PermitWait::number));
    private final Queue<PermitWait> changed = new ConcurrentLinkedQueue<>();
    private long begun;

    void begin(PodBinding binding, List<Permission.Delay> delays, long now) {
        PermitWait wait = new PermitWait(binding, delays, now, begun++, changed::add);
        byEnd.add(wait);
        byUid.put(binding.pod().meta().uid(), wait);
    }

    Optional<PermitWait> end(String uid) {
        Optional<PermitWait> ended = Optional.ofNullable(byUid.remove(uid));
        ended.ifPresent(wait -> {
            wait.leave();
            byEnd.remove(wait);
        });
        return ended;
    }

    /** Sorts a pod again that needs one permit less. */
    void reorder(PermitWait wait) {
        byEnd.remove(wait);
        wait.updateEnd();
        byEnd.add(wait);
    }

    Optional<PermitWait> waitOf(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /** A pod that is still here and has news of a permit, the first first. */
    Optional<PermitWait> nextChanged() {
        PermitWait next = changed.poll();
        while (next != null && byUid.get(next.pod().meta().uid()) != next) {
            next = changed.poll();
        }
        return Optional.ofNullable(next);
    }

    Optional<PermitWait> firstDue(long now) {
        return byEnd.isEmpty() || byEnd.first().end() > now ? Optional.empty() : Optional.of(byEnd.first());
    }

    OptionalLong nextEnd() {
        return byEnd.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(byEnd.first().end());
    }

    Collection<PodBinding> bindings() {
        return inOrder().map(PermitWait::binding).toList();
    }

    @Override
    public List<WaitingPod> all() {
        return inOrder().<WaitingPod>map(wait -> wait).toList();
    }

    @Override
    public Optional<WaitingPod> find(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    private Stream<PermitWait> inOrder() {
        return byUid.values().stream().sorted(Comparator.comparingLong(PermitWait::number));
    }

    /**
     * One pod's wait for its permits. Any thread may decide it, once; the engine is told that something has changed, and
     * does what follows from it.
     */
    static final class PermitWait implements WaitingPod {
        private final PodBinding binding;
        private final long since;
        private final long number;
        private final Consumer<PermitWait> changed;
        private final AtomicReference<State> state;
        private long end;

        /** The permits that the pod waits for, or the end of the wait. */
        public sealed interface State {

            /**
             * Some plugins have not given theirs.
             *
             * @param permits at least one, in the profile's order
             */
            record Missing(List<Permission.Delay> permits) implements State {
                Permission.Delay shortest() {
                    return permits.stream()
                            .min(Comparator.comparing(Permission.Delay::limit))
                            .orElseThrow();
                }

                State without(String plugin) {
                    List<Permission.Delay> left = permits.stream()
                            .filter(delay -> !delay.plugin().equals(plugin))
                            .toList();
                    return left.isEmpty() ? new Over(Optional.empty()) : new Missing(left);
                }
            }

            /**
             * All have decided, or one has turned the pod away.
             *
             * @param objection of the plugin that has turned the pod away; empty where the pod goes on
             */
            record Over(Optional<Objection> objection) implements State {}
        }

        /**
         * @param missing at least one
         * @param changed told, by whatever thread, each time that {@link #state} has changed
         */
        PermitWait(
                PodBinding binding,
                List<Permission.Delay> missing,
                long since,
                long number,
                Consumer<PermitWait> changed) {
            this.binding = binding;
            this.since = since;
            this.number = number;
            this.changed = changed;
            this.state = new AtomicReference<>(new State.Missing(List.copyOf(missing)));
            updateEnd();
        }

        PodBinding binding() {
            return binding;
        }

        long since() {
            return since;
        }

        /** In the order in which waits began. */
        long number() {
            return number;
        }

        State state() {
            return state.get();
        }

        /** When the first plugin's time is up, as of the last {@link #updateEnd}. */
        long end() {
            return end;
        }

        /** To be called by the engine alone, which sorts by the end. */
        void updateEnd() {
            if (state.get() instanceof State.Missing missing) {
                end = since + missing.shortest().limit().toNanos();
            }
        }

        /** Turns the pod away if the time of a plugin is up that has not given its permit. */
        void timeOut(long now) {
            change(missing -> {
                Permission.Delay late = missing.shortest();
                return since + late.limit().toNanos() > now ? missing : turnedAway(timeout(late));
            });
        }

        private static Objection timeout(Permission.Delay late) {
            return new Objection(
                    late.plugin(),
                    Status.unschedulable("rejected due to timeout after waiting " + GoDuration.format(late.limit())
                            + " at plugin " + late.plugin()));
        }

        @Override
        public Pod pod() {
            return binding.pod();
        }

        @Override
        public String node() {
            return binding.node();
        }

        @Override
        public List<String> pendingPlugins() {
            return state.get() instanceof State.Missing missing
                    ? missing.permits().stream().map(Permission.Delay::plugin).toList()
                    : List.of();
        }

        @Override
        public void allow(String plugin) {
            change(missing -> missing.without(plugin));
        }

        @Override
        public boolean reject(String plugin, String message) {
            return stop(new Objection(Objects.requireNonNull(plugin, "plugin"), Status.unschedulable(message)));
        }

        @Override
        public boolean preempt(String plugin, String message) {
            return stop(new Objection(
                    Objects.requireNonNull(plugin, "plugin"), Status.error("waiting on permit for pod: " + message)));
        }

        /** Turns the pod away, unless it was decided before what becomes of it. */
        private boolean stop(Objection objection) {
            return change(_ -> turnedAway(objection));
        }

        /** The pod waits no longer, for reasons of its own: whatever is said of it from now on is not heeded. */
        void leave() {
            state.set(new State.Over(Optional.empty()));
        }

        private static State turnedAway(Objection objection) {
            return new State.Over(Optional.of(objection));
        }

        private boolean change(Function<State.Missing, State> step) {
            while (state.get() instanceof State.Missing before) {
                State after = step.apply(before);
                if (after.equals(before)) {
                    return false;
                }
                if (state.compareAndSet(before, after)) {
                    changed.accept(this);
                    return true;
                }
            }
            return false;
        }
    }
}
