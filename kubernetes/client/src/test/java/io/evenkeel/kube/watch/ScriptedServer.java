package io.evenkeel.kube.watch;

import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Answers requests with what it was told to, in that order, and remembers them. */
final class ScriptedServer implements ApiTransport {
    /** One of them answers a request. */
    private interface Script {
        ApiAnswer answer() throws IOException;
    }

    private final Deque<Script> answers = new ArrayDeque<>();
    final List<String> asked = new ArrayList<>();
    final List<String> accepted = new ArrayList<>();
    final List<ApiCall.Limits> limits = new ArrayList<>();

    ScriptedServer then(ApiAnswer answer) {
        answers.add(() -> answer);
        return this;
    }

    ScriptedServer thenNone(IOException why) {
        answers.add(() -> {
            throw why;
        });
        return this;
    }

    @Override
    public ApiAnswer call(ApiCall call) {
        throw new AssertionError("a watch only streams");
    }

    @Override
    public ApiAnswer stream(ApiCall call) throws IOException {
        asked.add(call.path());
        call.limits().ifPresent(limits::add);
        accepted.add(call.headers().getOrDefault("Accept", ""));
        if (answers.isEmpty()) {
            throw new IOException("connection refused");
        }
        return answers.remove().answer();
    }

    @Override
    public String host() {
        return "test";
    }
}
