package io.evenkeel.app.demo;

/** One thing that a scheduler must get right: a cluster, what is asked of it, and how it must come out. */
interface Story {
    String title();

    /** What this is about, in two lines. */
    String explanation();

    /** Plays the story through an engine of its own and tells what came of it. */
    void play(Telling telling);
}
