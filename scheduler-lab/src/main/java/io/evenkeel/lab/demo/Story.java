package io.evenkeel.lab.demo;

/**
 * One thing that a scheduler must get right: what is asked of a cluster, and how it must come out.
 *
 * @param namespace the namespace it plays in
 * @param explanation the question, in two lines
 */
record Story(String namespace, String title, String explanation, Course course) {

    /** The course that it takes. */
    @FunctionalInterface
    interface Course {
        /**
         * Plays the story and tells what came of it.
         *
         * @throws NotAsToldException as soon as something that it waits for does not come
         */
        void play(Scene scene, Telling telling) throws InterruptedException;
    }
}
