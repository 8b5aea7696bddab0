package io.evenkeel.kube.api;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers calls as a script says, and remembers them. */
public class ScriptedTransport implements ApiTransport {
    /** What the server does. */
    @FunctionalInterface
    public interface Script {
        ApiAnswer answer(ApiCall call) throws IOException;
    }

    private final List<ApiCall> calls = new CopyOnWriteArrayList<>();
    private volatile Script script;

    public ScriptedTransport(Script script) {
        this.script = script;
    }

    public void nowAnswers(Script newScript) {
        script = newScript;
    }

    public List<ApiCall> calls() {
        return calls;
    }

    public List<String> bodies() {
        return calls.stream()
                .map(call -> call.body().map(ApiCall.Body::content).orElse(""))
                .toList();
    }

    @Override
    public ApiAnswer call(ApiCall call) throws IOException {
        calls.add(call);
        return script.answer(call);
    }

    @Override
    public ApiAnswer stream(ApiCall call) throws IOException {
        return call(call);
    }

    @Override
    public String host() {
        return "scripted";
    }
}
