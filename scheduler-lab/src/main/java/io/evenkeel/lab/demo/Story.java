package io.evenkeel.lab.demo;

/** One thing that a scheduler must get right: what is asked of a cluster, and how it must come out. */
interface Story {
    /** The namespace it plays in. */
    String namespace();

    String title();

    /** The question, in two lines. */
    String explanation();

    /**
     * Plays the story and tells what came of it.
     *
     * @throws NotAsToldException as soon as something that it waits for does not come
     */
    void play(Scene scene, Telling telling) throws InterruptedException;
}
