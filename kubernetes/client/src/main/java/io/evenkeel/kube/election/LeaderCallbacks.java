package io.evenkeel.kube.election;

/** The calls of the elector's thread; they must return soon, as the lease is not renewed meanwhile. */
public interface LeaderCallbacks {

    /** This replica schedules from now on. */
    void onStartedLeading();

    /** It was leading and does not any more, once and for all. */
    void onStoppedLeading();

    /** A new leader is known, perhaps this replica. */
    void onNewLeader(String identity);
}
