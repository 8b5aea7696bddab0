package io.evenkeel.kube.event;

import io.evenkeel.engine.Announcement;

/** Where events go that somebody should read. Neither blocks nor fails: what cannot be kept is dropped. */
@FunctionalInterface
public interface EventSink {
    void announce(Regarding regarding, Announcement announcement);
}
