package io.evenkeel.engine;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.api.VictimAdvice;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.Question;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.engine.decision.Question.Candidates;
import io.evenkeel.engine.decision.Question.Progress;
import io.evenkeel.engine.decision.Question.Progress.NodeAdvice;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.group.GroupReports;
import io.evenkeel.engine.group.GroupTurns;
import io.evenkeel.engine.group.Groups;
import io.evenkeel.engine.group.Groups.GroupParts;
import io.evenkeel.engine.group.MemberOutcomes;
import io.evenkeel.framework.run.BindingSteps;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.FairTurns;
import io.evenkeel.queue.RejectedBy;
import io.evenkeel.queue.SchedulingQueue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Decides pods, one after the other, and begins what follows: a binding, a wait for a permit, or another attempt later. A
 * pod in which extenders have a say is decided in two steps, as they take their time: others are decided in between.
 *
 * <pre>
 *   p, where extenders have a say    its nodes are filtered, the extenders asked about those that are left
 *   q, where they have not           decided, as any pod
 *   p, when the answer is there      filtered once more, as q may be on one of them, and scored with theirs
 * </pre>
 *
 * <p>So is one that fits nowhere, where they have a say in who goes for it: asked about the candidates, it is decided again
 * with the answer.
 */
final class Decisions {
    private final SchedulerConfiguration configuration;
    private final Engine engine;
    private final AttemptOutcomes outcomes;
    private final Permits permits;
    private final Preparations preparations;
    private final GroupTurns groups;
    private final ExtenderTurn extenders = new ExtenderTurn();
    private final Consumer<? super Command> commands;
    private final Preemptions preemptions;
    private final FairTurns turns;
    private final SchedulerObserver observer;
    private final LongSupplier clock;

    Decisions(
            SchedulerConfiguration configuration,
            Engine engine,
            AttemptOutcomes outcomes,
            Permits permits,
            Preparations preparations,
            SchedulingQueue queue,
            GroupReports groupReports,
            Consumer<? super Command> commands,
            Preemptions preemptions,
            SchedulerObserver observer,
            LongSupplier clock) {
        this.configuration = configuration;
        this.engine = engine;
        this.outcomes = outcomes;
        this.clock = clock;
        this.permits = permits;
        this.preparations = preparations;
        GroupParts parts = engine.forGroups();
        this.groups = parts.placesGroups()
                ? Groups.FOUND.turns(parts, queue, new GroupedPods(), groupReports, observer.groups(), clock)
                : GroupTurns.NONE;
        this.turns = queue.turns();
        this.commands = commands;
        this.preemptions = preemptions;
        this.observer = observer;
    }

    /** Returns the question that the extenders are asked, or were asked and is not concluded yet. */
    ExtenderTurn extenders() {
        return extenders;
    }

    /** Decides the pod; where that fails, it is tried again later. */
    void decide(Attempt attempt, long startedAt) {
        if (attempt.pod().meta().terminating()) {
            skip(attempt);
            return;
        }
        attempt(attempt, startedAt, () -> {
            if (!groups.decide(attempt, startedAt)) {
                begin(attempt, startedAt, false);
            }
        });
    }

    /** It leaves the queue before it is gone; no pod of its group may wait any more. */
    private void skip(Attempt attempt) {
        outcomes.skipped(attempt);
        groups.sawLeft(attempt.pod(), false);
    }

    GroupTurns groups() {
        return groups;
    }

    private void begin(Attempt attempt, long startedAt, boolean isAnew) {
        boolean needsAdvice = attempt.needsExtenders() && configuration.isPreemptedForByExtender(attempt.pod());
        VictimAdvice victimAdvice = needsAdvice ? VictimAdvice.NEEDED : VictimAdvice.NOT_NEEDED;
        decide(Progress.begun(attempt, startedAt, isAnew, victimAdvice));
    }

    /** Decides the pod by what is known from extenders, or asks them for more. */
    private void decide(Progress known) {
        Attempt attempt = known.attempt();
        SchedulingCycle cycle = engine.cycleOf(attempt.pod());
        if (known.nodeAdvice().isPresent()) {
            NodeAdvice advice = known.nodeAdvice().get();
            cycle.run(attempt.admitted(), advice, known.victimAdvice())
                    .ifPresentOrElse(
                            made -> decided(known, made),
                            () -> askOfNodes(known, false, !advice.done().isEmpty()));
        } else if (attempt.needsExtenders() && configuration.isAdvisedByExtender(attempt.pod())) {
            askOfNodes(known, true, false);
        } else {
            decided(known, cycle.run(attempt.admitted(), known.victimAdvice()));
        }
    }

    /** Asks about whatever fits now. That the node of a nomination did not do costs none of the two times. */
    private void askOfNodes(Progress known, boolean mayBeNominated, boolean isSecond) {
        Attempt attempt = known.attempt();
        switch (engine.cycleOf(attempt.pod()).candidates(attempt.admitted(), mayBeNominated, known.victimAdvice())) {
            case Candidates.None none -> decided(known, none.decision());
            case Candidates.Some some -> {
                Question.OfNodes question = new Question.OfNodes(known, attempt.pod(), some, isSecond);
                ask(question, new Command.AskOfNodes(question.pod(), question.nodes()));
            }
        }
    }

    private void askOfVictims(Progress known, List<PreemptionCandidate> candidates) {
        Pod pod = known.attempt().pod();
        Map<String, List<Pod>> podsByNode = candidates.stream()
                .collect(Collectors.toMap(PreemptionCandidate::node, each -> engine.podsOn(each.node())));
        ask(new Question.OfVictims(known, pod, candidates), new Command.AskOfVictims(pod, candidates, podsByNode));
    }

    private void ask(Question question, Command.AskExtenders command) {
        extenders.requireFree();
        commands.accept(command);
        extenders.asked(question);
        outcomes.askedAbout(question.attempt());
    }

    /** Decides the pod about which the extenders have answered; false where none is. */
    boolean concludeNext() {
        Optional<ExtenderTurn.Answered> answered = extenders.take();
        answered.ifPresent(answer -> {
            Question question = answer.question();
            Attempt attempt = question.attempt();
            outcomes.answered(attempt);
            if (attempt.stillWanted() && attempt.pod().meta().terminating()) {
                skip(attempt);
            } else if (attempt.stillWanted()) {
                long startedAt = question.progress().startedAt();
                attempt(attempt, startedAt, () -> conclude(question, answer.answer()));
            }
        });
        return answered.isPresent();
    }

    private void conclude(Question question, Answer answer) {
        Progress known = question.progress();
        if (question.isOutdated() && !known.isAnew()) {
            // a pod that changes faster than they answer is decided as it was, so that it ends its turn
            begin(question.attempt(), known.startedAt(), true);
            return;
        }
        switch (question) {
            case Question.OfNodes ofNodes -> conclude(ofNodes, answer);
            case Question.OfVictims ofVictims -> conclude(ofVictims, answer);
        }
    }

    private void conclude(Question.OfNodes question, Answer answer) {
        switch (answer) {
            case Answer.Advised(ExtenderAdvice advice) -> decide(question.answered(advice));
            case Answer.Failed _ when question.isAboutNominated() -> askOfNodes(question.progress(), false, false);
            case Answer.Failed(String message) ->
                outcomes.failed(question.attempt(), message, question.progress().startedAt());
            case Answer.VictimsChosen _ -> throw new IllegalStateException(answer + " answers " + question);
        }
    }

    /** The plugin that proposed the victims judges the answer: it knows what has become of the cluster since. */
    private void conclude(Question.OfVictims question, Answer answer) {
        switch (answer) {
            case Answer.VictimsChosen(List<PreemptionCandidate> left) -> decide(question.answered(left));
            case Answer.Failed(String message) -> decide(question.progress().with(new VictimAdvice.Failed(message)));
            case Answer.Advised _ -> throw new IllegalStateException(answer + " answers " + question);
        }
    }

    private void attempt(Attempt attempt, long startedAt, Runnable step) {
        long begun = turns.begin();
        try {
            step.run();
        } catch (Throwable thrown) {
            faulted(attempt, thrown, startedAt);
        } finally {
            turns.charge(attempt.pod().namespace(), begun, FairTurns.Step.TRY);
        }
    }

    private void faulted(Attempt attempt, Throwable thrown, long startedAt) {
        RuntimeException fault = PluginFault.of(thrown);
        observer.faulted(attempt.pod(), fault);
        outcomes.failed(attempt, Status.error(fault).message(), startedAt);
    }

    private void decided(Progress known, Decision decision) {
        Attempt attempt = known.attempt();
        if (decision instanceof Decision.Unschedulable open
                && !open.candidates().isEmpty()
                && known.mayAskOfVictims()) {
            askOfVictims(known, open.candidates());
            return;
        }
        long startedAt = known.startedAt();
        observer.decided(clock.getAsLong() - startedAt);
        switch (decision) {
            case Decision.Unschedulable no -> {
                if (engine.cycleOf(attempt.pod()).asksPostFilters(no.diagnosis())) {
                    observer.preemptionTried();
                }
                outcomes.rejected(
                        attempt,
                        told(attempt, no).diagnosis().message(),
                        keptBy(known, no),
                        no.nominatedNode(),
                        startedAt);
                no.writes().forEach(write -> commands.accept(new Command.WriteObject(attempt.pod(), write, false)));
                preemptions.begin(attempt, no);
            }
            case Decision.Placed placed ->
                follow(
                        attempt,
                        engine.cluster().nodes().name(placed.node()),
                        engine.assume(attempt.pod(), placed),
                        startedAt);
        }
    }

    /** The same, and why not all of its group have a place. */
    private Decision.Unschedulable told(Attempt attempt, Decision.Unschedulable no) {
        return groups.shortfall(attempt.pod()).map(no::withRemark).orElse(no);
    }

    /** The plugins with changes that wake the pod; none where extenders failed: it is tried again after its backoff. */
    private static RejectedBy keptBy(Progress known, Decision.Unschedulable no) {
        return known.victimAdvice() instanceof VictimAdvice.Failed
                ? RejectedBy.NONE
                : RejectedBy.of(no.diagnosis()).withNominatedPods(no.crowdedOut());
    }

    /** Carries on once a pod counts on its node: it is bound, or waits for permits; or a plugin has refused it there. */
    private void follow(Attempt attempt, String node, Commitment made, long startedAt) {
        switch (made) {
            case Commitment.Refused refused -> outcomes.objected(attempt, refused.objection(), startedAt);
            case Commitment.Ready ready -> {
                PodBinding binding = new PodBinding(attempt, node, ready.steps(), startedAt);
                if (ready.steps().takeTime()) {
                    expect(binding);
                }
                preparations.begin(binding);
            }
            case Commitment.Waiting waiting -> {
                PodBinding binding = new PodBinding(attempt, node, waiting.steps(), startedAt);
                expect(binding);
                permits.await(binding, waiting.delays());
            }
        }
    }

    /** The pod counts on its node, and nothing looks after it yet: it counts there no longer where this fails. */
    private void expect(PodBinding binding) {
        try {
            outcomes.expected(binding);
        } catch (Throwable notSaid) {
            engine.forget(binding.pod(), binding.steps());
            throw notSaid;
        }
    }

    /** Applies the ordinary outcomes of attempts to pods of a group. */
    private final class GroupedPods implements MemberOutcomes {

        @Override
        public Commitment assume(Attempt attempt, Decision.Placed placed) {
            return engine.assume(attempt.pod(), placed);
        }

        @Override
        public void takeBack(Attempt attempt, BindingSteps steps) {
            engine.forget(attempt.pod(), steps);
        }

        @Override
        public void follow(Attempt attempt, String node, Commitment made, long startedAt) {
            try {
                Decisions.this.follow(attempt, node, made, startedAt);
            } catch (Throwable thrown) {
                Decisions.this.faulted(attempt, thrown, startedAt);
            }
        }

        @Override
        public void decideAlone(Attempt attempt, long startedAt) {
            attempt(attempt, startedAt, () -> begin(attempt, startedAt, false));
        }

        @Override
        public void waits(
                Attempt attempt, String message, RejectedBy by, Optional<String> nominatedNode, long startedAt) {
            outcomes.rejected(attempt, message, by, nominatedNode, startedAt);
        }

        @Override
        public void preempt(Attempt waiting, List<Pod> victims, String plugin) {
            preemptions.begin(waiting, victims, plugin);
        }

        @Override
        public void failed(Attempt attempt, String message, long startedAt) {
            outcomes.failed(attempt, message, startedAt);
        }

        @Override
        public void faulted(Pod pod, RuntimeException fault) {
            observer.faulted(pod, fault);
        }
    }

    /**
     * The turn at the extenders, which is one pod's at a time, as in the reference, where pods are decided one after the other:
     * what extenders say about a pod they say knowing what became of the one before.
     *
     * <pre>
     *   begin      question     answer       who may be tried
     *              -            -            any pod
     *   asked      p: n1 n2     -            pods without extenders
     *   answered   p: n1 n2     n2 is left   p, which is concluded next
     *   take       -            -            any pod; or p is asked about anew, as who goes for it if it fits on none
     * </pre>
     */
    static final class ExtenderTurn {
        private Optional<Question> question = Optional.empty();
        private Optional<Answer> answer = Optional.empty();

        public record Answered(Question question, Answer answer) {}

        boolean isFree() {
            return question.isEmpty();
        }

        Optional<Question> question() {
            return question;
        }

        /** To be looked at before anything is asked. */
        void requireFree() {
            question.ifPresent(asked -> {
                throw new IllegalStateException("pod " + asked.pod().key() + " is at the extenders already");
            });
        }

        /** It is asked, and nothing else until the answer has been taken. */
        void asked(Question put) {
            requireFree();
            question = Optional.of(put);
        }

        /** The one answer to the one question; one about another pod is none. */
        void answered(Pod pod, Answer given) {
            question.filter(asked -> asked.pod().meta().uid().equals(pod.meta().uid()))
                    .ifPresent(_ -> answer = Optional.of(given));
        }

        /** Ends the turn, if the answer is there. */
        Optional<Answered> take() {
            Optional<Answered> answered = question.flatMap(put -> answer.map(given -> new Answered(put, given)));
            if (answered.isPresent()) {
                question = Optional.empty();
                answer = Optional.empty();
            }
            return answered;
        }
    }
}
