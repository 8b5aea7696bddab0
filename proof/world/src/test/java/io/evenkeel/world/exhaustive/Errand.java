package io.evenkeel.world.exhaustive;

import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.dispatch.Job;
import java.util.Optional;

/** A request on its way to the server, and its answer on the way back. */
final class Errand {
    /** How far it is. */
    enum Stage {
        SENT,
        ANSWERED,
        OVER
    }

    private final Job job;
    private final ApiCall call;
    private Stage stage = Stage.SENT;
    private Optional<Answer> answer = Optional.empty();

    Errand(Job job, ApiCall call) {
        this.job = job;
        this.call = call;
    }

    Job job() {
        return job;
    }

    ApiCall call() {
        return call;
    }

    Stage stage() {
        return stage;
    }

    /** What the client will get; empty for nothing. */
    Optional<Answer> answer() {
        return answer;
    }

    void answered(Optional<Answer> with) {
        stage = Stage.ANSWERED;
        answer = with;
    }

    void end() {
        stage = Stage.OVER;
    }

    boolean isBinding() {
        return call.path().endsWith("/binding");
    }

    boolean isCondition() {
        return call.method().equals("PATCH");
    }

    /** For stories. */
    String described() {
        String what = isBinding() ? "binding" : isCondition() ? "condition" : "look-up";
        return what + " of " + job.work().key();
    }

    @Override
    public String toString() {
        return call.method() + " " + call.path() + " " + call.body() + " " + stage + " " + answer + " "
                + job.attempts();
    }
}
