package io.evenkeel.api;

import java.util.List;
import java.util.Optional;

/**
 * The pods that wait for permits, for the plugins that give them; of all profiles, and for any thread.
 *
 * @since 0.1
 */
public interface WaitingPods {
    WaitingPods NONE = new WaitingPods() {
        @Override
        public List<WaitingPod> all() {
            return List.of();
        }
    };

    /** All of them, in the order in which they began to wait. */
    List<WaitingPod> all();

    /** The one with this UID, if it waits. */
    default Optional<WaitingPod> find(String uid) {
        return all().stream()
                .filter(waiting -> waiting.pod().meta().uid().equals(uid))
                .findFirst();
    }
}
