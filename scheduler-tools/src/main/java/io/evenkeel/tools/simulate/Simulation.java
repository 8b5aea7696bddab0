package io.evenkeel.tools.simulate;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.tools.simulate.Arrival.Cause;
import io.evenkeel.tools.simulate.ChangedCluster.Owners;
import io.evenkeel.tools.simulate.Outcome.Decided;
import io.evenkeel.tools.simulate.Outcome.Evicted;
import io.evenkeel.tools.simulate.Outcome.Verdict;
import io.evenkeel.whatif.JudgingProfiles;
import io.evenkeel.whatif.SchedulerTurns;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * The scheduler's turns on a picture of a cluster, and what comes of them: pods are bound and run, others go for them and are made again
 * by their owners.
 */
final class Simulation implements SchedulerTurns.Surroundings {
    private static final int LONGEST_FAULT = 300;
    private static final String RUNNING = "Running";

    private final ChangedCluster cluster;
    private final ClusterPicture picture;
    private final Owners owners;
    private final Successors successors;
    private final SchedulerTurns turns;
    private final JudgingProfiles judges;
    private final DeviceClaims claims;

    /** On faults of a plugin in a run, not of a pod, each said once. */
    private final Set<String> remarks = new LinkedHashSet<>();

    private final Map<String, Arrival> coming = new LinkedHashMap<>();

    /** The last on each pod, in the order in which they came. */
    private final SequencedMap<String, Verdict> verdicts = new LinkedHashMap<>();

    private final Map<String, List<Arrival>> followers = new HashMap<>();
    private final List<Evicted> evicted = new ArrayList<>();
    private final Queue<Arrival> made = new ArrayDeque<>();
    private final Queue<Pod> news = new ArrayDeque<>();
    private final Set<String> leaving = new LinkedHashSet<>();

    private Simulation(ChangedCluster cluster, SchedulerConfiguration configuration, PluginRegistry registry) {
        this.cluster = cluster;
        picture = cluster.picture().copy();
        owners = new Owners(picture);
        successors = new Successors(picture);
        cluster.arrivals().forEach(arrival -> successors.taken(arrival.pod()));
        claims = new DeviceClaims(cluster.before(), picture, this::tell, remarks::add);
        judges = JudgingProfiles.of(configuration);
        turns = new SchedulerTurns(configuration, registry, this);
    }

    static Outcome run(ChangedCluster cluster, SchedulerConfiguration configuration, PluginRegistry registry) {
        return run(cluster, configuration, registry, () -> true);
    }

    /** @throws CancellationException once the answer is wanted no more */
    static Outcome run(
            ChangedCluster cluster,
            SchedulerConfiguration configuration,
            PluginRegistry registry,
            BooleanSupplier stillWanted) {
        return new Simulation(cluster, configuration, registry).play(stillWanted);
    }

    private Outcome play(BooleanSupplier stillWanted) {
        List<Arrival> first = new ArrayList<>();
        for (Arrival arrival : cluster.arrivals()) {
            coming.put(arrival.pod().key(), arrival);
            arrival.after()
                    .ifPresentOrElse(
                            before -> followers
                                    .computeIfAbsent(before, _ -> new ArrayList<>())
                                    .add(arrival),
                            () -> first.add(arrival));
        }
        List<KubernetesObject> objects = new ArrayList<>();
        turns.kinds().forEach(kind -> objects.addAll(picture.all(kind.name())));
        first.forEach(arrival -> objects.add(arrival.pod()));
        turns.begin(objects);
        do {
            while (turns.next()) {
                if (!stillWanted.getAsBoolean()) {
                    throw new CancellationException("the simulation was given up");
                }
            }
        } while (released() || turns.timePasses());
        return new Outcome(decided(), inOrder(), List.copyOf(evicted), picture, List.copyOf(remarks));
    }

    private void tell(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.Put(KubernetesObject object) -> turns.put(object);
            case ClusterEvent.Removed(KubernetesObject object) -> turns.delete(object);
        }
    }

    @Override
    public void waits(Pod pod, String why) {
        verdicts.putLast(pod.key(), new Verdict.Waits(why));
    }

    @Override
    public void freed(String claim) {
        claim(claim).ifPresent(claims::free);
    }

    @Override
    public void deleted(String claim) {
        claim(claim).ifPresent(claims::remove);
    }

    private Optional<ResourceClaim> claim(String key) {
        return picture.find(DeviceClaims.KIND, key).map(ResourceClaim.class::cast);
    }

    @Override
    public Optional<Pod> find(String key) {
        return picture.find("Pod", key).map(Pod.class::cast);
    }

    @Override
    public void faulted(RuntimeException fault) {
        remarks.add("a plugin failed: " + Excerpt.of(String.valueOf(fault.getMessage()), LONGEST_FAULT));
    }

    @Override
    public void bound(Pod pod, String node, List<ResourceClaim> used) {
        Arrival arrival = coming.get(pod.key());
        Pod there = claims.used(
                PodBuilder.from(arrival == null ? pod : arrival.pod())
                        .nodeName(node)
                        .build(),
                used);
        picture.put(there);
        news.add(there);
        verdicts.putLast(pod.key(), new Verdict.Placed(node));
    }

    /** The pod is on its way out, which takes time, and its owner makes another meanwhile. */
    @Override
    public boolean evicted(Pod pod, Pod preemptor) {
        Optional<Pod> there = find(pod.key());
        if (there.isEmpty() || !leaving.add(pod.key())) {
            return false;
        }
        Pod victim = there.get();
        evicted.add(new Evicted(victim, preemptor.key()));
        if (coming.containsKey(victim.key())) {
            verdicts.putLast(victim.key(), new Verdict.Preempted(preemptor.key()));
        }
        Pod terminating = PodBuilder.from(victim).terminating(true).build();
        picture.put(terminating);
        turns.put(terminating);
        if (Owners.isMadeAgain(victim)) {
            Pod next = successors.of(victim);
            Arrival again = Arrival.instead(victim, next, owners.workloadOf(victim), Cause.PREEMPTED);
            if (next.key().equals(victim.key())) {
                made.add(again); // a StatefulSet's, which waits until the name is free
            } else {
                comes(again);
            }
        }
        return true;
    }

    private void comes(Arrival arrival) {
        Pod pod = claims.supplied(arrival.pod());
        coming.put(pod.key(), arrival.with(pod));
        verdicts.remove(pod.key());
        turns.put(pod);
    }

    /**
     * A little time passes: the watch tells of bindings and of pods that run; else those on their way out are gone; else those
     * are made that have waited for either.
     */
    private boolean released() {
        boolean any = !news.isEmpty() || !leaving.isEmpty() || !made.isEmpty();
        if (!news.isEmpty()) {
            List<Pod> told = List.copyOf(news);
            news.clear();
            told.forEach(this::tell);
        } else if (!leaving.isEmpty()) {
            List<String> gone = List.copyOf(leaving);
            leaving.clear();
            Set<String> uids = new HashSet<>();
            gone.forEach(key -> find(key).ifPresent(pod -> {
                picture.remove(pod);
                turns.delete(pod);
                uids.add(pod.meta().uid());
            }));
            claims.forget(uids::contains);
        } else {
            List<Arrival> next = List.copyOf(made);
            made.clear();
            next.forEach(this::comes);
        }
        return any;
    }

    private void tell(Pod pod) {
        if (picture.find("Pod", pod.key()).filter(pod::equals).isEmpty()) {
            return; // it has changed since
        }
        turns.put(pod);
        if (pod.status().phase().equals(RUNNING)) {
            made.addAll(followers.getOrDefault(pod.key(), List.of()));
            followers.remove(pod.key());
        } else {
            Pod running = PodBuilder.from(pod)
                    .status(PodStatusBuilder.from(pod.status()).phase(RUNNING).build())
                    .build();
            picture.put(running);
            news.add(running);
        }
    }

    /** The decided pods, as the profiles judged them, in the order of the decisions that hold. */
    private List<Pod> inOrder() {
        List<Pod> inOrder = new ArrayList<>();
        for (String key : verdicts.keySet()) {
            Arrival arrival = coming.get(key);
            if (arrival != null) {
                inOrder.add(judges.judged(arrival.pod()));
            }
        }
        return inOrder;
    }

    private List<Decided> decided() {
        return coming.values().stream()
                .map(arrival -> new Decided(
                        arrival,
                        Optional.ofNullable(verdicts.get(arrival.pod().key())).orElseGet(() -> unsaid(arrival))))
                .toList();
    }

    /** Of a pod that was never tried. */
    private Verdict unsaid(Arrival arrival) {
        Pod pod = arrival.pod();
        if (arrival.after().isPresent() && !turns.waits(pod.key())) {
            return new Verdict.NotMade(arrival.after().get());
        }
        return turns.gateOf(pod)
                .map(gate ->
                        new Verdict.Waits(gate.plugin() + ": " + gate.status().message()))
                .orElseGet(() -> new Verdict.Waits("waits for others that are placed together with it"));
    }
}
