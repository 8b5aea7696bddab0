package io.evenkeel.kube.api;

import java.io.IOException;

/** Takes the answer of a call for which no thread waits; by a thread that must not be held up. */
public interface ResponseHandler {
    void answered(Answered answer);

    /** No answer came; whether the request was carried out is not known. */
    void unanswered(IOException why);
}
