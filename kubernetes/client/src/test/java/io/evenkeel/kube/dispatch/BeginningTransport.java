package io.evenkeel.kube.dispatch;

import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.ApiTransport.ResponseHandler;
import io.evenkeel.kube.api.ScriptedTransport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** A transport that begins calls without a thread that waits, as one connection for many calls does. */
final class BeginningTransport implements ApiTransport {
    private final ScriptedTransport server;
    private final Executor answers;
    private final List<String> begun = new ArrayList<>();

    /** @param answers runs what tells of an answer */
    BeginningTransport(ScriptedTransport server, Executor answers) {
        this.server = server;
        this.answers = answers;
    }

    /** Method and path of each call that no thread waited for. */
    List<String> begun() {
        return begun;
    }

    @Override
    public boolean begin(ApiCall call, ResponseHandler taker) {
        begun.add(call.method() + " " + call.path());
        answers.execute(() -> {
            Answered answer;
            try {
                answer = Answered.write(server, call);
            } catch (IOException noAnswer) {
                taker.unanswered(noAnswer);
                return;
            }
            taker.answered(answer);
        });
        return true;
    }

    @Override
    public ApiAnswer call(ApiCall call) throws IOException {
        return server.call(call);
    }

    @Override
    public ApiAnswer stream(ApiCall call) throws IOException {
        return server.stream(call);
    }

    @Override
    public String host() {
        return server.host();
    }
}
