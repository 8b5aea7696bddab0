package io.evenkeel.tools.why;

/** So many questions wait, of this asker or of all, that this one was turned away. */
public final class TooManyQuestionsException extends Exception {
    private static final long serialVersionUID = 1L;
}
