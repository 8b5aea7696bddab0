package io.evenkeel.engine;

import io.evenkeel.engine.binding.PodBinding;
import io.evenkeel.engine.decision.Candidates;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.ExtenderAdvice;
import io.evenkeel.engine.extender.Answer;
import io.evenkeel.engine.extender.ExtenderTurn;
import io.evenkeel.engine.extender.Question;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.run.PluginFault;
import io.evenkeel.queue.Attempt;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Decides pods, one after the other, and begins what follows: a binding, a wait for a permit, or another attempt later. A
 * pod in which extenders have a say is decided in two steps, as they take their time: others are decided in between.
 *
 * <pre>
 *   p, where extenders have a say    its nodes are filtered, the extenders asked about those that are left
 *   q, where they have not           decided, as any pod
 *   p, when the answer is there      filtered once more, as q may be on one of them, and scored with theirs
 * </pre>
 */
final class Decisions {
    private final Engine engine;
    private final AttemptOutcomes outcomes;
    private final Permits permits;
    private final Bindings bindings;
    private final ExtenderTurn extenders = new ExtenderTurn();
    private final Consumer<? super Command> commands;
    private final Preemptions preemptions;
    private final SchedulerObserver observer;
    private final LongSupplier clock;

    Decisions(
            Engine engine,
            AttemptOutcomes outcomes,
            Permits permits,
            Bindings bindings,
            Consumer<? super Command> commands,
            Preemptions preemptions,
            SchedulerObserver observer,
            LongSupplier clock) {
        this.engine = engine;
        this.outcomes = outcomes;
        this.permits = permits;
        this.bindings = bindings;
        this.commands = commands;
        this.preemptions = preemptions;
        this.observer = observer;
        this.clock = clock;
    }

    /** What is being asked of the extenders, or was asked and is not concluded yet. */
    ExtenderTurn extenders() {
        return extenders;
    }

    /** Decides the pod; where that fails, it is tried again later. */
    void decide(Attempt attempt, long startedAt) {
        if (attempt.pod().meta().terminating()) {
            outcomes.skipped(attempt);
            return;
        }
        attempt(attempt, startedAt, () -> {
            if (attempt.needsExtenders()) {
                ask(attempt, startedAt, true, false);
            } else {
                decided(attempt, engine.decide(attempt.admitted()), startedAt);
            }
        });
    }

    private void ask(Attempt attempt, long startedAt, boolean mayBeNominated, boolean isSecond) {
        switch (engine.candidates(attempt.admitted(), mayBeNominated)) {
            case Candidates.None none -> decided(attempt, none.decision(), startedAt);
            case Candidates.Some some -> {
                Question question = new Question(attempt, attempt.pod(), some, startedAt, isSecond);
                commands.accept(new Command.AskExtenders(question.pod(), question.nodes()));
                extenders.asked(question);
                outcomes.askedAbout(attempt);
            }
        }
    }

    /** Decides the pod about which the extenders have answered; false where none is. */
    boolean concludeNext() {
        Optional<ExtenderTurn.Answered> answered = extenders.take();
        answered.ifPresent(answer -> {
            Question question = answer.question();
            Attempt attempt = question.attempt();
            outcomes.answered(attempt);
            if (attempt.stillWanted() && attempt.pod().meta().terminating()) {
                outcomes.skipped(attempt);
            } else if (attempt.stillWanted()) {
                attempt(attempt, question.startedAt(), () -> conclude(question, answer.answer()));
            }
        });
        return answered.isPresent();
    }

    private void conclude(Question question, Answer answer) {
        if (question.isOutdated()) {
            askAgain(question, true);
            return;
        }
        switch (answer) {
            case Answer.Failed failed -> {
                if (question.isAboutNominated()) {
                    askAgain(question, false);
                } else {
                    outcomes.failed(question.attempt(), failed.message(), question.startedAt());
                }
            }
            case Answer.Advised(ExtenderAdvice advice) -> {
                Optional<Decision> decision =
                        engine.decide(question.attempt().admitted(), question.done(), advice, !question.isSecond());
                decision.ifPresentOrElse(
                        made -> decided(question.attempt(), made, question.startedAt()),
                        () -> askAgain(question, false));
            }
        }
    }

    /** A second time about whatever fits now. That the node of a nomination did not do costs none of the two times. */
    private void askAgain(Question question, boolean mayBeNominated) {
        boolean isSecond = !mayBeNominated && !question.isAboutNominated();
        ask(question.attempt(), question.startedAt(), mayBeNominated, isSecond);
    }

    private void attempt(Attempt attempt, long startedAt, Runnable step) {
        try {
            step.run();
        } catch (Throwable thrown) {
            RuntimeException fault = PluginFault.of(thrown);
            observer.faulted(attempt.pod(), fault);
            outcomes.failed(attempt, Status.error(fault).message(), startedAt);
        }
    }

    private void decided(Attempt attempt, Decision decision, long startedAt) {
        observer.decided(clock.getAsLong() - startedAt);
        switch (decision) {
            case Decision.Unschedulable no -> {
                if (engine.triesPreemption(attempt.pod(), no.diagnosis())) {
                    observer.preemptionTried();
                }
                outcomes.unschedulable(attempt, no, startedAt);
                preemptions.begin(attempt, no);
            }
            case Decision.Placed placed -> commit(attempt, placed, startedAt);
        }
    }

    private void commit(Attempt attempt, Decision.Placed placed, long startedAt) {
        String node = engine.cluster().nodes().name(placed.node());
        switch (engine.assume(attempt.pod(), placed)) {
            case Commitment.Refused refused -> outcomes.objected(attempt, refused.objection(), startedAt);
            case Commitment.Ready ready -> {
                PodBinding binding = new PodBinding(attempt, node, ready.steps(), startedAt);
                if (ready.steps().takeTime()) {
                    expect(binding);
                }
                bindings.begin(binding);
            }
            case Commitment.Waiting waiting -> {
                PodBinding binding = new PodBinding(attempt, node, waiting.steps(), startedAt);
                expect(binding);
                permits.await(binding, waiting.delays());
            }
        }
    }

    /** The pod counts on its node, and nobody looks after it yet: it counts there no longer where this fails. */
    private void expect(PodBinding binding) {
        try {
            outcomes.expected(binding);
        } catch (Throwable notSaid) {
            engine.forget(binding.pod(), binding.steps());
            throw notSaid;
        }
    }
}
