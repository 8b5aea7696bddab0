package io.evenkeel.serve;

import evenkeel.whatif.v1.CanSchedulePod;
import evenkeel.whatif.v1.Fitting;
import evenkeel.whatif.v1.Nothing;
import evenkeel.whatif.v1.Place;
import evenkeel.whatif.v1.Preemption;
import evenkeel.whatif.v1.Result;
import evenkeel.whatif.v1.SchedulePods;
import evenkeel.whatif.v1.SchedulePodsByTemplate;
import evenkeel.whatif.v1.Scores;
import evenkeel.whatif.v1.ScoresOfNode;
import evenkeel.whatif.v1.SessionRequest;
import evenkeel.whatif.v1.SessionResponse;
import evenkeel.whatif.v1.Step;
import evenkeel.whatif.v1.Verdicts;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.serve.ObjectsOnWire.StepException;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.SchedulingOptions;
import io.evenkeel.whatif.Verdict;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The clusters of one session, and what is done to them step by step. Equal requests in equal order have equal answers.
 * One thread uses it at a time.
 */
final class TrialClusters {
    private final WhatIfLimits limits;
    private final ObjectsOnWire objects;
    private final Map<Integer, Trial> trials = new TreeMap<>();
    private int numbered;
    private int room;

    /** A cluster and its open transactions, innermost first; facts may be put where the session has it for itself. */
    private static final class Trial {
        final ClusterSnapshot cluster;
        final boolean isOwn;
        final Deque<Open> open = new ArrayDeque<>();
        /** What may have to be taken back; each keeps what was before. */
        int changes;

        private record Open(Transaction transaction, int changesBefore) {}

        Trial(ClusterSnapshot cluster, boolean isOwn) {
            this.cluster = cluster;
            this.isOwn = isOwn;
        }

        void begin() {
            open.push(new Open(cluster.begin(), changes));
        }

        void commit() {
            innermost().transaction().commit();
        }

        void rollback() {
            Open innermost = innermost();
            innermost.transaction().close();
            changes = innermost.changesBefore();
        }

        private Open innermost() {
            return Optional.ofNullable(open.poll()).orElseThrow(() -> new StepException("no transaction is open"));
        }

        void reset() {
            open.clear();
            cluster.reset();
            changes = 0;
        }

        boolean takesFacts() {
            return isOwn && !cluster.isChanged();
        }

        /** A shared cluster is as large as it is. */
        int held() {
            return (isOwn ? cluster.size() : 0) + changes;
        }
    }

    /** @param isOwn whether the cluster is the session's alone, so that what is put there stays */
    TrialClusters(ClusterSnapshot first, boolean isOwn, ObjectsOnWire objects, WhatIfLimits limits) {
        this.limits = limits;
        this.objects = objects;
        add(first, isOwn);
    }

    private int add(ClusterSnapshot cluster, boolean isOwn) {
        trials.put(numbered, new Trial(cluster, isOwn));
        return numbered++;
    }

    /** How many objects the session's own clusters have, and changes that may have to be taken back. */
    int held() {
        return trials.values().stream().mapToInt(Trial::held).sum();
    }

    /**
     * Does the steps until one fails, whose result says why.
     *
     * @param room how much may be held after that
     * @param beforeEach may throw, so that nothing more is done
     */
    SessionResponse answer(SessionRequest request, int room, Runnable beforeEach) {
        Answering answering = new Answering(request, limits);
        goOn(answering, room, beforeEach, () -> false);
        return answering.response();
    }

    /**
     * Does further steps of a request, until one fails, or a pause is wanted while nothing is changed.
     *
     * @param room how much may be held after that
     * @param beforeEach may throw, so that nothing more is done
     */
    void goOn(Answering answering, int room, Runnable beforeEach, BooleanSupplier isPauseWanted) {
        this.room = room;
        while (!answering.isDone()) {
            beforeEach.run();
            answering.take(result(answering));
            if (isPauseWanted.getAsBoolean()
                    && trials.values().stream().noneMatch(trial -> trial.cluster.isChanged())) {
                return;
            }
        }
    }

    private Result result(Answering answering) {
        try {
            Result result =
                    done(answering.request.getSteps(answering.next), answering.request.getCluster(), answering.work);
            answering.work.answered(result.getSerializedSize());
            return result;
        } catch (StepException | IllegalArgumentException refused) {
            return error(String.valueOf(refused.getMessage()));
        } catch (PluginFailure failure) {
            return error("a plugin failed: " + failure.getMessage());
        }
    }

    /** A request, and how far its steps have come. */
    static final class Answering {
        private final SessionRequest request;
        private final Work work;
        private final SessionResponse.Builder response;
        private int next;

        Answering(SessionRequest request, WhatIfLimits limits) {
            this.request = request;
            work = new Work(limits);
            response = SessionResponse.newBuilder().setId(request.getId());
            if (request.getStepsCount() > limits.steps()) {
                take(error("a request has " + limits.steps() + " steps at most"));
            }
        }

        private void take(Result result) {
            response.addResults(result);
            next = result.hasError() ? request.getStepsCount() : next + 1;
        }

        boolean isDone() {
            return next >= request.getStepsCount();
        }

        SessionResponse response() {
            return response.build();
        }
    }

    /** What one request has taken so far. */
    private static final class Work {
        private final WhatIfLimits limits;
        private int pods;
        private int bytes;

        Work(WhatIfLimits limits) {
            this.limits = limits;
        }

        void schedules(int more) {
            if (more > limits.pods() - pods) {
                throw new StepException("a request schedules " + limits.pods() + " pods at most");
            }
            pods += more;
        }

        void answered(int more) {
            bytes += more;
            if (bytes > limits.bytes()) {
                throw new StepException("a response has " + limits.bytes() + " bytes at most");
            }
        }
    }

    private static Result error(String message) {
        return Result.newBuilder().setError(message).build();
    }

    private Trial trial(int number) {
        return Optional.ofNullable(trials.get(number))
                .orElseThrow(() -> new StepException("there is no cluster " + number));
    }

    private Result done(Step step, int number, Work work) {
        Trial trial = trial(number);
        ClusterSnapshot cluster = trial.cluster;
        Result.Builder result = Result.newBuilder();
        switch (step.getStepCase()) {
            case PUT -> put(trial, objects.read(step.getPut(), cluster));
            case DELETE -> delete(trial, objects.named(step.getDelete()));
            case BEGIN -> begin(trial);
            case COMMIT -> trial.commit();
            case ROLLBACK -> trial.rollback();
            case RESET -> trial.reset();
            case PLACE -> {
                changing(trial, 1);
                Place asked = step.getPlace();
                place(cluster, objects.pod(asked.getPod(), cluster), asked.getNode());
            }
            case PREEMPT_PODS -> {
                changing(trial, step.getPreemptPods().getNamesCount());
                preempt(cluster, step.getPreemptPods().getNamesList());
            }
            case PUT_NODE -> {
                changing(trial, 1);
                cluster.putNode(objects.node(step.getPutNode(), cluster));
            }
            case REMOVE_NODE -> removeNode(trial, step.getRemoveNode());
            case SCHEDULE_PODS -> {
                SchedulePods asked = step.getSchedulePods();
                work.schedules(asked.getPodsCount());
                changing(trial, asked.getPodsCount(), asked.getOptions());
                result.setVerdicts(
                        verdicts(cluster.schedulePods(pods(asked, cluster), options(asked.getOptions(), cluster))));
            }
            case SCHEDULE_WORKLOAD -> {
                SchedulePods asked = step.getScheduleWorkload();
                work.schedules(asked.getPodsCount());
                changing(trial, asked.getPodsCount(), asked.getOptions());
                result.setVerdicts(
                        verdicts(cluster.scheduleWorkload(pods(asked, cluster), options(asked.getOptions(), cluster))));
            }
            case SCHEDULE_PODS_BY_TEMPLATE -> {
                SchedulePodsByTemplate asked = step.getSchedulePodsByTemplate();
                int most = Integer.compareUnsigned(asked.getMost(), limits.pods()) > 0
                        ? Integer.MAX_VALUE
                        : asked.getMost();
                work.schedules(most);
                requireRoom(most);
                List<Verdict> verdicts = cluster.schedulePodsByTemplate(
                        objects.pod(asked.getTemplate(), cluster), most, options(asked.getOptions(), cluster));
                changing(trial, asked.getOptions().getDryRun() ? 0 : verdicts.size());
                result.setVerdicts(verdicts(verdicts));
            }
            case CAN_SCHEDULE_POD -> result.setFitting(fitting(step.getCanSchedulePod(), cluster));
            case PREEMPTION_FOR ->
                result.setPreemption(preemption(objects.pod(step.getPreemptionFor(), cluster), cluster));
            case SCORES -> result.setScores(scores(objects.pod(step.getScores(), cluster), cluster));
            case FORK -> result.setForked(fork(trial));
            case DROP -> drop(step.getDrop());
            case STEP_NOT_SET -> throw new StepException("a step says nothing that is known here");
        }
        return result.getResultCase() == Result.ResultCase.RESULT_NOT_SET
                ? result.setDone(Nothing.getDefaultInstance()).build()
                : result.build();
    }

    // changes

    private void put(Trial trial, KubernetesObject object) {
        ClusterSnapshot cluster = trial.cluster;
        if (trial.takesFacts()) {
            requireRoom(1);
            cluster.put(object);
            return;
        }
        changing(trial, 1);
        switch (object) {
            case Pod pod when pod.isPlaced() -> place(cluster, pod, pod.spec().nodeName());
            case Pod pod -> throw new StepException("pod " + pod.key() + " is on no node");
            case Node node -> cluster.putNode(node);
            default -> cluster.putObject(object);
        }
    }

    private void delete(Trial trial, KubernetesObject object) {
        ClusterSnapshot cluster = trial.cluster;
        if (trial.takesFacts()) {
            cluster.delete(object);
            return;
        }
        changing(trial, 1);
        switch (object) {
            case Pod pod -> preempt(cluster, List.of(pod.key()));
            case Node node -> removeNode(trial, node.name());
            default -> cluster.removeObject(object);
        }
    }

    private void removeNode(Trial trial, String node) {
        requireNode(trial.cluster, node);
        changing(trial, 1 + trial.cluster.podsOn(node).size());
        trial.cluster.removeNode(node);
    }

    private static void place(ClusterSnapshot cluster, Pod pod, String node) {
        requireNode(cluster, node);
        cluster.place(pod, node);
    }

    private static void requireNode(ClusterSnapshot cluster, String node) {
        if (cluster.view().nodes().findPresent(node) < 0) {
            throw new StepException("there is no node " + node);
        }
    }

    private static void preempt(ClusterSnapshot cluster, List<String> keys) {
        cluster.preemptPods(Set.copyOf(keys).stream()
                .map(key -> cluster.pod(key).orElseThrow(() -> new StepException("no pod " + key + " is on a node")))
                .toList());
    }

    private void begin(Trial trial) {
        if (trial.open.size() >= limits.transactions()) {
            throw new StepException("a cluster has " + limits.transactions() + " open transactions at most");
        }
        trial.begin();
    }

    private int fork(Trial trial) {
        if (!trial.isOwn) {
            throw new StepException("the server's own cluster cannot be forked: open the session on a copy");
        }
        if (trials.size() >= limits.clusters()) {
            throw new StepException("a session has " + limits.clusters() + " clusters at most");
        }
        requireRoom(trial.cluster.size());
        return add(trial.cluster.fork(), true);
    }

    private void drop(int number) {
        if (number == 0) {
            throw new StepException("the first cluster stays as long as the session");
        }
        trial(number);
        trials.remove(number);
    }

    private void changing(Trial trial, int more) {
        requireRoom(more);
        trial.changes += more;
    }

    /** What is tried with pods and not taken back at once. */
    private void changing(Trial trial, int pods, evenkeel.whatif.v1.SchedulingOptions options) {
        changing(trial, options.getDryRun() ? 0 : pods);
    }

    private void requireRoom(int more) {
        int there = held();
        if (more > room - there) {
            throw new StepException("there is room for " + room + " objects and changes, and " + there + " are there");
        }
    }

    // questions

    private List<Pod> pods(SchedulePods asked, ClusterSnapshot cluster) {
        List<Pod> pods = asked.getPodsList().stream()
                .map(pod -> objects.pod(pod, cluster))
                .toList();
        Set<String> keys = new HashSet<>();
        pods.forEach(pod -> {
            if (!keys.add(pod.key())) {
                throw new StepException("pod " + pod.key() + " is named twice");
            }
            requireNotInPlace(pod, cluster);
        });
        return pods;
    }

    private static void requireNotInPlace(Pod pod, ClusterSnapshot cluster) {
        cluster.nodeOf(pod.key()).ifPresent(node -> {
            throw new StepException("pod " + pod.key() + " is on node " + node + " already: preempt it first");
        });
    }

    private static SchedulingOptions options(evenkeel.whatif.v1.SchedulingOptions asked, ClusterSnapshot cluster) {
        asked.getPlacementList().forEach(node -> requireNode(cluster, node));
        return new SchedulingOptions(
                asked.getDryRun(),
                asked.getStopOnFailure(),
                asked.getPlacementCount() == 0 ? Optional.empty() : Optional.of(Set.copyOf(asked.getPlacementList())));
    }

    private static Verdicts verdicts(List<Verdict> all) {
        Verdicts.Builder verdicts = Verdicts.newBuilder();
        for (Verdict one : all) {
            var verdict = verdicts.addVerdictsBuilder().setPod(one.pod().key());
            switch (one) {
                case Verdict.Placed(var _, String node) -> verdict.setNode(node);
                case Verdict.Refused(var _, String message) -> verdict.setMessage(message);
            }
        }
        return verdicts.build();
    }

    /** Of a pod in place, as if it had yet to be placed. */
    private static <T> T besideAllOthers(Pod pod, ClusterSnapshot cluster, Supplier<T> question) {
        if (cluster.nodeOf(pod.key()).isEmpty()) {
            return question.get();
        }
        try (Transaction _ = cluster.begin()) {
            cluster.preemptPods(List.of(pod));
            return question.get();
        }
    }

    private Fitting fitting(CanSchedulePod asked, ClusterSnapshot cluster) {
        Pod pod = objects.pod(asked.getPod(), cluster);
        List<String> nodes =
                besideAllOthers(pod, cluster, () -> cluster.canSchedulePod(pod, options(asked.getOptions(), cluster)));
        int named = asked.getMostNamed();
        return Fitting.newBuilder()
                .setCount(nodes.size())
                .addAllNodes(named > 0 && named < nodes.size() ? nodes.subList(0, named) : nodes)
                .build();
    }

    private static Preemption preemption(Pod pod, ClusterSnapshot cluster) {
        Preemption.Builder preemption = Preemption.newBuilder();
        besideAllOthers(pod, cluster, () -> cluster.preemptionFor(pod)).ifPresent(found -> {
            preemption.setNode(found.node());
            found.victims().forEach(victim -> preemption.addVictims(victim.key()));
        });
        return preemption.build();
    }

    private static Scores scores(Pod pod, ClusterSnapshot cluster) {
        Scores.Builder scores = Scores.newBuilder();
        besideAllOthers(pod, cluster, () -> cluster.scores(pod))
                .forEach((node, plugins) -> scores.putNodes(
                        node, ScoresOfNode.newBuilder().putAllPlugins(plugins).build()));
        return scores.build();
    }
}
