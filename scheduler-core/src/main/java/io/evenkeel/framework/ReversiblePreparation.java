package io.evenkeel.framework;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.Preparation;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A preparation that hears of each of its writes, and may take them back. */
public interface ReversiblePreparation extends Preparation {

    /**
     * It is written.
     *
     * @param uid of its object; empty where the server did not say
     * @param version that its object has now; likewise
     * @param at when, in seconds by the clock of who wrote it; 0 where that is not said
     */
    void wrote(ObjectPatch write, String uid, String version, long at);

    /** Tells the pod's user that the server refused a write. */
    String refusal(ObjectPatch write, String why);

    /** What the pod's user reads when the wait begins; empty where nothing is waited for. */
    Optional<Notice> notice();

    /** What is written once more as the pod was not bound after all. Nobody waits for it. */
    List<ObjectPatch> undo();

    /** An event about the pod. */
    record Notice(String reason, String note) {}

    /** Drivers of the devices that are waited for. */
    Set<String> drivers();
}
