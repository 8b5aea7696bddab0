package io.evenkeel.engine;

/** The live scheduler as a state machine. */
public final class Scheduler {}
