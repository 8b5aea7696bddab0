package io.evenkeel.tools.why;

/** The configuration that judges pods. */
public enum Judgement {
    /** The configuration of the scheduler itself; all of it is known. */
    OWN,
    /** One that a user has given. */
    GIVEN,
    /** A guess, as nothing is known of how the cluster's schedulers are configured. */
    GUESSED
}
