package io.evenkeel.kube.dispatch;

import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.ApiTransport.ResponseHandler;
import io.evenkeel.kube.dispatch.Job.Outcome;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A write that needs only the code of its answer, and what each end of it means.
 *
 * @param unanswered where no answer came, and it is unknown whether it was written
 */
record Write(ApiCall call, Function<Answered, Outcome> answered, Function<IOException, Outcome> unanswered) {

    Outcome carryOut(ApiTransport transport) {
        Answered answer;
        try {
            answer = Answered.write(transport, call);
        } catch (IOException noAnswer) {
            return unanswered.apply(noAnswer);
        }
        return answered.apply(answer);
    }

    /**
     * Does not wait for the answer.
     *
     * @param ended is told once, by a thread that must not be held up, and works out what it means
     * @return false, and nothing is done, where it has to be waited for
     */
    boolean begin(ApiTransport transport, Consumer<Supplier<Outcome>> ended) {
        return transport.begin(call, new ResponseHandler() {
            @Override
            public void answered(Answered answer) {
                ended.accept(() -> answered.apply(answer));
            }

            @Override
            public void unanswered(IOException why) {
                ended.accept(() -> unanswered.apply(why));
            }
        });
    }
}
