package io.evenkeel.engine;

import io.evenkeel.api.Plugin;
import io.evenkeel.api.VictimAdvice;
import io.evenkeel.api.WaitingPods;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.PodInfo.PodAdmission;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.decision.Survey;
import io.evenkeel.engine.decision.Survey.Assessment;
import io.evenkeel.engine.group.GangQuestions;
import io.evenkeel.engine.group.Groups;
import io.evenkeel.engine.group.Groups.GroupParts;
import io.evenkeel.engine.group.KnownMembers;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.run.BindingSteps;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.queue.NominatedPods;
import io.evenkeel.queue.QueuedGroups.WaitingMembers;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * The one owner of the cluster's state: takes in what happened and places pods, one call at a time. The same calls in
 * the same order always lead to the same decisions, given the same {@link NodeChoice}.
 */
public final class Engine {
    private final SchedulerConfiguration configuration;
    private final PluginRegistry registry;
    private final ClusterState cluster;
    private final ClusterView view;
    private final Map<String, SchedulingCycle> cycles = new LinkedHashMap<>();
    private final List<Kind<?>> watchedKinds;
    private final KnownMembers members;
    private final BiConsumer<Pod, RuntimeException> faults;

    /**
     * An engine with an empty cluster.
     *
     * @throws io.evenkeel.problem.ConfigurationException if a profile names plugins that there are not
     */
    public Engine(
            SchedulerConfiguration configuration,
            PluginRegistry registry,
            NodeChoice choice,
            SchedulingCycle.Scoring scoring) {
        this(configuration, registry, choice, scoring, SchedulerObserver.NONE);
    }

    /** The same, and tells how the plugins do. */
    public Engine(
            SchedulerConfiguration configuration,
            PluginRegistry registry,
            NodeChoice choice,
            SchedulingCycle.Scoring scoring,
            SchedulerObserver observer) {
        this(
                configuration,
                registry,
                choice,
                scoring,
                WaitingPods.NONE,
                new WaitingMembers(),
                new NominatedPods(configuration.featureGates()),
                _ -> false,
                observer,
                ClusterLimits.USUAL);
    }

    /** The same, with pods that wait for permits, for their groups or nominated to nodes, and within limits. */
    Engine(
            SchedulerConfiguration configuration,
            PluginRegistry registry,
            NodeChoice choice,
            SchedulingCycle.Scoring scoring,
            WaitingPods waitingPods,
            WaitingMembers waitingMembers,
            NominatedPods nominated,
            Predicate<Pod> isLeaving,
            SchedulerObserver observer,
            ClusterLimits limits) {
        this.configuration = configuration;
        this.registry = registry;
        faults = observer::faulted;
        cluster = new ClusterState(configuration.featureGates(), limits);
        view = cluster.view();
        members = new KnownMembers(waitingMembers, view.pods());
        for (Profile profile : configuration.effectiveProfiles()) {
            SchedulingProfile made = SchedulingProfile.of(
                    profile, registry, view, waitingPods, members, observer.profile(profile.schedulerName()), faults);
            cycles.put(
                    profile.schedulerName(),
                    new SchedulingCycle(
                            cluster,
                            made,
                            choice,
                            scoring,
                            scoring == SchedulingCycle.Scoring.ALWAYS
                                    ? OptionalInt.empty()
                                    : percentage(configuration, profile),
                            nominated,
                            isLeaving));
        }
        watchedKinds = neededKinds(profiles().values());
        if (forGroups().placesGroups()) {
            members.count(
                    view,
                    cycles.values().stream()
                            .map(cycle -> cycle.profile().groups())
                            .toList());
        }
    }

    /** The kinds of objects that are to be put in, as they are best listed. */
    public List<Kind<?>> watchedKinds() {
        return watchedKinds;
    }

    public ClusterView cluster() {
        return view;
    }

    List<Pod> podsOn(String node) {
        int id = view.nodes().find(node);
        return id < 0 ? List.of() : view.nodeInfo(id).pods();
    }

    /** Where the pods are read that wait. */
    PodAdmission admission() {
        return cluster;
    }

    /** Takes an object in, new or changed: with {@link #remove} the one way into the state, for all that drive an engine. */
    public void put(KubernetesObject object) {
        cluster.put(object);
    }

    /** Takes an object out; only its kind and name are read. */
    public void remove(KubernetesObject object) {
        cluster.remove(object);
    }

    /** All objects of the kind are going to be put in. What is returned is told then which are not there. */
    Consumer<Predicate<ObjectMeta>> listBegins(String kind) {
        return cluster.listBegins(kind);
    }

    /** The scheduler names that pods can ask for, in the order of the configuration. */
    public List<String> profileNames() {
        return List.copyOf(cycles.keySet());
    }

    public Optional<SchedulingProfile> profileOf(Pod pod) {
        return Optional.ofNullable(cycles.get(pod.spec().schedulerName())).map(SchedulingCycle::profile);
    }

    /** Decides where a pod goes, which must ask for one of the profiles. The cluster stays as it is. */
    public Decision decide(Pod pod) {
        PodInfo info = cluster.admit(pod);
        try {
            return cycleOf(pod).run(info, VictimAdvice.NOT_NEEDED);
        } finally {
            cluster.giveBack(info);
        }
    }

    /**
     * Whether the pod fits on the node beside the pods that are nominated to it.
     *
     * @param exactly whether that may take long; else the answer is no where it would
     */
    boolean fitsBesideNominated(PodInfo pod, String node, boolean exactly) {
        int id = view.nodes().findPresent(node);
        return id >= 0 && cycleOf(pod.pod()).fitsBesideNominated(pod, id, exactly);
    }

    /** A plugin that turns the pod away from the node, and all that are like it; see {@link SchedulingCycle#obstacle}. */
    public Optional<String> obstacle(PodInfo pod, String node) {
        int id = view.nodes().findPresent(node);
        return id < 0 ? Optional.empty() : cycleOf(pod.pod()).obstacle(pod, id);
    }

    /** Assesses a node for a pod, which must ask for one of the profiles, as if these pods were nowhere. */
    public Assessment assess(Pod pod, String node, Collection<Pod> without) {
        int id = view.nodes().findPresent(node);
        return id < 0
                ? new Assessment.Rejected("the node is not known")
                : asIfGone(without, pod, (asked, survey) -> survey.assess(asked, id));
    }

    /** A question about a pod as if it waited for a node, of whom it is turned away by. */
    public <T> T asIfItWaited(Pod pod, BiFunction<PodInfo, Diagnosis, T> question) {
        return asIfGone(
                pod.isPlaced() ? List.of(pod) : List.of(),
                PodBuilder.from(pod).nodeName("").build(),
                (asked, survey) -> question.apply(asked, survey.diagnosis(asked)));
    }

    private <T> T asIfGone(Collection<Pod> gone, Pod pod, BiFunction<PodInfo, Survey, T> question) {
        Survey survey = cycleOf(pod).survey();
        try (WhatIf without = cluster.whatIf()) {
            gone.forEach(one -> PodGone.make(one, without, view));
            PodInfo asked = cluster.admit(pod);
            try {
                return question.apply(asked, survey);
            } finally {
                cluster.giveBack(asked);
            }
        }
    }

    /**
     * A question about a pod that waits, as if these nodes were there too, whose ids are found by their names; with what PostFilter plugins
     * say of them where there are no others.
     */
    public <T> T asIfThere(Collection<Node> more, Pod pod, BiFunction<Diagnosis, ToIntFunction<String>, T> question) {
        SchedulingCycle cycle = cycleOf(pod);
        boolean areAll = view.nodes().count() == 0;
        try (WhatIf beside = cluster.whatIf()) {
            more.forEach(beside::put);
            PodInfo asked = cluster.admit(pod);
            try {
                Diagnosis diagnosis =
                        areAll && cycle.run(asked, VictimAdvice.NOT_NEEDED) instanceof Decision.Unschedulable nowhere
                                ? nowhere.diagnosis()
                                : cycle.survey().diagnosis(asked);
                return question.apply(diagnosis, view.nodes()::findPresent);
            } finally {
                cluster.giveBack(asked);
            }
        }
    }

    /** What becomes of gangs. */
    public GangQuestions gangs() {
        return Groups.FOUND.questions(forGroups(), configuration::needsExtenders);
    }

    /** Tells of a plugin that failed on a pod as a question was answered, which goes on without it. */
    public void faulted(Pod pod, RuntimeException fault) {
        faults.accept(pod, fault);
    }

    public SchedulerConfiguration configuration() {
        return configuration;
    }

    public PluginRegistry registry() {
        return registry;
    }

    /** Returns the parts that decide pods which are placed together. */
    public GroupParts forGroups() {
        return new GroupParts(cluster, this::cycleOf, members, profiles());
    }

    /** Counts the pod that was just decided on its node, until the word of its binding comes, unless a plugin objects. */
    public Commitment assume(Pod pod, Decision.Placed placed) {
        return cycleOf(pod).commit(placed);
    }

    /** Counts the pod no longer that was assumed, as it was not bound after all. */
    void forget(Pod pod, BindingSteps steps) {
        try {
            steps.takeBack();
        } finally {
            cluster.removePod(pod.key());
        }
    }

    Map<String, SchedulingProfile> profiles() {
        Map<String, SchedulingProfile> profiles = new LinkedHashMap<>();
        cycles.forEach((name, cycle) -> profiles.put(name, cycle.profile()));
        return profiles;
    }

    SchedulingCycle cycleOf(Pod pod) {
        SchedulingCycle cycle = cycles.get(pod.spec().schedulerName());
        if (cycle == null) {
            throw new IllegalArgumentException("pod " + pod.key() + " asks for scheduler \""
                    + pod.spec().schedulerName() + "\"; the profiles are " + cycles.keySet());
        }
        return cycle;
    }

    private static OptionalInt percentage(SchedulerConfiguration configuration, Profile profile) {
        OptionalInt own = profile.percentageOfNodesToScore();
        int general = configuration.percentageOfNodesToScore();
        return own.isPresent() || general <= 0 ? own : OptionalInt.of(general);
    }

    /** In the order in which they are best listed; plugins' own come first. */
    private static List<Kind<?>> neededKinds(Collection<SchedulingProfile> profiles) {
        Set<Kind<?>> needed = new LinkedHashSet<>(Kinds.ALWAYS_WATCHED);
        Kinds known = Kinds.IN_TREE;
        for (SchedulingProfile profile : profiles) {
            for (Plugin plugin : profile.plugins()) {
                needed.addAll(readBy(plugin));
                try {
                    known = known.with(needed);
                } catch (IllegalArgumentException clash) {
                    throw new ConfigurationException(
                            "plugin " + plugin.name() + " brings a kind that cannot be read: " + clash.getMessage());
                }
            }
        }
        return known.all().stream().filter(needed::contains).toList();
    }

    private static Set<Kind<?>> readBy(Plugin plugin) {
        try {
            Set<Kind<?>> kinds = new LinkedHashSet<>(plugin.reads());
            kinds.forEach(Objects::requireNonNull);
            return kinds;
        } catch (Throwable thrown) {
            throw new ConfigurationException("plugin " + plugin.name() + " does not say what it reads: "
                    + PluginFault.of(thrown).getMessage());
        }
    }
}
