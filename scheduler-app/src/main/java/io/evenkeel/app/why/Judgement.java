package io.evenkeel.app.why;

/** By whose configuration pods are judged. */
public enum Judgement {
    /** That of the scheduler itself, of which all is known. */
    OWN,
    /** One that a user has given. */
    GIVEN,
    /** A guess, as nothing is known of how the cluster's schedulers are configured. */
    GUESSED
}
