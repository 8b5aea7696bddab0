package io.evenkeel.engine.decision;

import io.evenkeel.model.Pod;
import java.util.Optional;

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
public final class ExtenderTurn {
    private Optional<Question> question = Optional.empty();
    private Optional<Answer> answer = Optional.empty();

    /** A question with its answer. */
    public record Answered(Question question, Answer answer) {}

    public boolean isFree() {
        return question.isEmpty();
    }

    /** Returns the question that is being asked. */
    public Optional<Question> question() {
        return question;
    }

    /** To be looked at before anything is asked. */
    public void requireFree() {
        question.ifPresent(asked -> {
            throw new IllegalStateException("pod " + asked.pod().key() + " is at the extenders already");
        });
    }

    /** It is asked, and nothing else until the answer has been taken. */
    public void asked(Question put) {
        requireFree();
        question = Optional.of(put);
    }

    /** The one answer to the one question; one about another pod is none. */
    public void answered(Pod pod, Answer given) {
        question.filter(asked -> asked.pod().meta().uid().equals(pod.meta().uid()))
                .ifPresent(_ -> answer = Optional.of(given));
    }

    /** Ends the turn, if the answer is there. */
    public Optional<Answered> take() {
        Optional<Answered> answered = question.flatMap(put -> answer.map(given -> new Answered(put, given)));
        if (answered.isPresent()) {
            question = Optional.empty();
            answer = Optional.empty();
        }
        return answered;
    }
}
