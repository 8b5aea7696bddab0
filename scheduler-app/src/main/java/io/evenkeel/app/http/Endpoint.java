package io.evenkeel.app.http;

/** Answers GET on a path; called by several threads at once. */
@FunctionalInterface
public interface Endpoint {
    Answer answer(Request request);
}
