package io.evenkeel.app.why;

import io.evenkeel.app.why.PodReport.State;
import io.evenkeel.app.why.suppose.Supposition;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.problem.NearestName;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.why.PodQuestions;
import io.evenkeel.engine.why.Trial;
import io.evenkeel.framework.remedy.Change;
import io.evenkeel.framework.remedy.PodGone;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Questions about the pods of a cluster, whoever schedules them, answered by a scheduler that has been told of all objects
 * there are and writes nothing. One thread asks.
 */
public final class ClusterQuestions {
    private final Scheduler scheduler;
    private final Judges judges;
    private final KnownPods pods = new KnownPods();
    private final boolean configured;

    /**
     * Of a cluster of which nothing is known yet.
     *
     * @param configured whether the configuration is the user's: else it is a guess
     */
    public ClusterQuestions(SchedulerConfiguration configuration, PluginRegistry registry, boolean configured) {
        this.configured = configured;
        judges = new Judges(configuration);
        scheduler = ToldScheduler.of(configuration, registry);
    }

    /** The kinds whose objects are to be told of. */
    public List<Kind<?>> kinds() {
        return scheduler.watchedKinds();
    }

    /** Tells of all objects there are. */
    public void tell(List<KubernetesObject> objects) {
        ToldScheduler.tell(scheduler, objects, this::follow);
    }

    /** Tells of what has happened since. */
    public void follow(SchedulerEvent event) {
        scheduler.handle(event);
        pods.follow(event);
    }

    /**
     * What is said of the pod of this name, if there is one that has not finished.
     *
     * @throws UnwantedAnswerException if the asker does not wait for it
     */
    public Optional<PodReport> about(String key, Asker asker) {
        return pods.find(key).map(pod -> about(pod, asker));
    }

    /** The same of a pod that was not told of. */
    public PodReport about(Pod pod, Asker asker) {
        return report(pod, List.of(), asker);
    }

    /**
     * What would be said of the pod if it had yet to be placed and all of this were so.
     *
     * @throws io.evenkeel.app.why.suppose.SuppositionException if something that is named is not there
     */
    public Optional<PodReport> supposing(String key, List<Supposition> suppositions, Asker asker) {
        return pods.find(key).map(pod -> supposing(pod, suppositions, asker));
    }

    private PodReport supposing(Pod pod, List<Supposition> suppositions, Asker asker) {
        Pod asked = PodBuilder.from(judges.judged(pod)).nodeName("").build();
        List<Change> changes = Supposition.together(suppositions, asked, scheduler.cluster());
        List<String> remarks = new ArrayList<>();
        changes.forEach(change -> remarks.add("supposed: " + change.text()));
        remarks.addAll(remarks(pod, asker));
        if (pod.isPlaced()) {
            changes.add(new PodGone(pod, pod.spec().nodeName()));
        }
        State state = questions().supposing(asked, changes, supposed -> state(supposed, asker));
        return new PodReport("", pod.key(), List.of(), remarks, state, Optional.empty());
    }

    /** What is said of all pods of a namespace, or of all, that wait: those alike together, most first. */
    public List<PodReport> allThatWait(Optional<String> namespace, Asker asker) {
        Map<Making, Cause> causes = new HashMap<>();
        Map<Cause, List<Pod>> byCause = new LinkedHashMap<>();
        for (Pod pod : pods.all()) {
            boolean isMeant = namespace.map(pod.namespace()::equals).orElse(true);
            if (isMeant && !pod.isPlaced() && !pod.meta().terminating()) {
                Cause cause = causes.computeIfAbsent(Making.of(pod), _ -> {
                    asker.requireWanted();
                    return cause(pod);
                });
                byCause.computeIfAbsent(cause, _ -> new ArrayList<>()).add(pod);
            }
        }
        return byCause.values().stream()
                .sorted(Comparator.comparingInt((List<Pod> alike) -> -alike.size()))
                .map(alike -> report(
                        alike.getFirst(), alike.stream().skip(1).map(Pod::key).toList(), asker))
                .toList();
    }

    /** All of a pod by which it is judged: those that a ReplicaSet has made differ in nothing but their names. */
    private record Making(
            String namespace,
            Labels labels,
            Labels annotations,
            Optional<OwnerReference> controller,
            PodSpec spec,
            String nominatedNode) {
        static Making of(Pod pod) {
            ObjectMeta meta = pod.meta();
            return new Making(
                    meta.namespace(),
                    meta.labels(),
                    meta.annotations(),
                    meta.controller(),
                    pod.spec(),
                    pod.status().nominatedNodeName());
        }
    }

    /** What pods have in common of which the same is said. */
    private record Cause(String schedulerName, String heldBy, PodQuestions.Counted counted) {}

    private Cause cause(Pod pod) {
        Pod judged = judges.judged(pod);
        String name = pod.spec().schedulerName();
        return profileOf(judged)
                .preEnqueue(judged)
                .map(gate -> new Cause(
                        name,
                        gate.plugin(),
                        new PodQuestions.Counted(gate.status().message(), List.of())))
                .orElseGet(() -> new Cause(name, "", questions().counted(judged)));
    }

    private PodReport report(Pod pod, List<String> alike, Asker asker) {
        asker.requireWanted();
        List<String> remarks = remarks(pod, asker);
        if (pod.isPlaced()) {
            State there = new State.InPlace(
                    questions().placement(judges.judged(pod), pod.spec().nodeName()));
            return new PodReport("", pod.key(), alike, remarks, there, Optional.empty());
        }
        return new PodReport("", pod.key(), alike, remarks, state(judges.judged(pod), asker), Optional.empty());
    }

    private List<String> remarks(Pod pod, Asker asker) {
        List<String> remarks = new ArrayList<>();
        String name = pod.spec().schedulerName();
        if (!judges.know(name)) {
            Set<String> known = new TreeSet<>(judges.names());
            pods.all().stream()
                    .filter(Pod::isPlaced)
                    .filter(asker.nameable())
                    .forEach(placed -> known.add(placed.spec().schedulerName()));
            remarks.add("its schedulerName is \"" + name + "\", which is no profile of the configuration"
                    + (known.contains(name) ? "; it has placed pods" : "; no pod in place names it"));
            remarks.add("judged as \"" + judges.usual() + "\" would judge it"
                    + (known.contains(name) ? "" : NearestName.hint(name, known)));
        } else if (!configured && name.equals(Profile.DEFAULT_SCHEDULER_NAME)) {
            remarks.add(
                    "judged by kube-scheduler's default profile: what the cluster's own is configured with cannot be"
                            + " seen, and --config names another");
        } else if (!configured) {
            remarks.add("judged by Evenkeel's default profile, which keeps no policies: --config names another");
        }
        if (!pod.spec().resourceClaims().isEmpty()) {
            remarks.add("it claims devices, which are not looked at");
        }
        return remarks;
    }

    private State state(Pod judged, Asker asker) {
        Optional<SchedulingProfile.Gate> gate = profileOf(judged).preEnqueue(judged);
        if (gate.isPresent()) {
            return new State.Held(gate.get().plugin(), gate.get().status().message());
        }
        return questions()
                .trial(judged)
                .nodeWith(List.of())
                .<State>map(State.Fits::new)
                .orElseGet(() -> {
                    var answer = questions().why(judged, trial(judged, asker), asker.nameable());
                    return new State.Waits(answer.funnel().message(), answer);
                });
    }

    private Trial trial(Pod judged, Asker asker) {
        Trial there = questions().trial(judged);
        return changes -> {
            asker.requireWanted();
            return there.nodeWith(changes);
        };
    }

    private SchedulingProfile profileOf(Pod judged) {
        return questions().profileOf(judged);
    }

    private PodQuestions questions() {
        return scheduler.questions();
    }
}
