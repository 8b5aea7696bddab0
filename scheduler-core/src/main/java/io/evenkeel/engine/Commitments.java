package io.evenkeel.engine;

import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.queue.Attempt;

/** Carries on once a pod counts on its node: it is bound, or waits for permits; or a plugin has refused it there. */
final class Commitments {
    private final Engine engine;
    private final AttemptOutcomes outcomes;
    private final Permits permits;
    private final Preparations preparations;

    Commitments(Engine engine, AttemptOutcomes outcomes, Permits permits, Preparations preparations) {
        this.engine = engine;
        this.outcomes = outcomes;
        this.permits = permits;
        this.preparations = preparations;
    }

    void follow(Attempt attempt, String node, Commitment made, long startedAt) {
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
}
