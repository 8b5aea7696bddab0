package io.evenkeel.world.net;

import io.evenkeel.world.play.Choices;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What the network and the servers do to requests, answers and news: how late they are, and what goes wrong. */
public final class Weather {
    /** What becomes of a request. */
    enum Fate {
        ANSWERED,
        REQUEST_LOST,
        ANSWER_LOST,
        REFUSED_429,
        REFUSED_500,
        REFUSED_503,
        /** 503, though it was carried out. */
        DONE_AND_REFUSED,
        /** A success, though nothing was done. */
        LIE,
        /** Sent once more by what stands between, and carried out twice. */
        DOUBLED,
        /** So late that the client has given up, and carried out after all. */
        OVERDUE,
        /** Nothing that time heals: by a quota, a webhook, a policy. */
        FORBIDDEN,
        /** Carried out, and of the answer there comes a part. */
        CUT,
        /** Carried out, and answered with a page. */
        GARBLED,
        /** A page that says that the server is not there. */
        BAD_GATEWAY
    }

    private static final Fate[] FATES = Fate.values();
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Choices choices;
    private boolean stormy;

    public Weather(Choices choices) {
        this.choices = choices;
    }

    /** Whether things go wrong from now on. */
    public void stormy(boolean now) {
        stormy = now;
    }

    public boolean isStormy() {
        return stormy;
    }

    /** Of what is asked about single pods more goes wrong, as most of what is asked is about the lease. */
    Fate fate(boolean aboutPod, boolean mayLie) {
        if (!stormy || !choices.oneIn(aboutPod ? 3 : 6)) {
            return Fate.ANSWERED;
        }
        Fate fate = FATES[1 + choices.below(FATES.length - 1)];
        return fate == Fate.LIE && !mayLie ? Fate.ANSWERED : fate;
    }

    /** Whether somebody turns away what is well. */
    boolean turnsAway() {
        return stormy && choices.oneIn(4);
    }

    /** How long a request or an answer is on its way. */
    long latency() {
        if (!stormy) {
            return MILLI;
        }
        return switch (choices.below(8)) {
            case 6 -> MILLI * (1 + choices.below(500));
            case 7 -> SECOND * choices.below(8);
            default -> MILLI * (1 + choices.below(5));
        };
    }

    /** How long it takes a server's cache to hear of a change. */
    long lag() {
        if (!stormy) {
            return MILLI;
        }
        return switch (choices.below(8)) {
            case 6 -> MILLI * choices.below(2_000);
            case 7 -> SECOND * choices.below(30);
            default -> MILLI * choices.below(10);
        };
    }

    /** Whether a stream breaks at what it is about to say. */
    boolean cuts() {
        return stormy && choices.oneIn(25);
    }

    /** Where it breaks. */
    int cutAt(int bytes) {
        return choices.below(bytes + 1);
    }

    boolean repeats() {
        return stormy && choices.oneIn(40);
    }

    /** For how long a stream stalls behind an event, so that what follows comes by itself; 0 where it does not. */
    long stall() {
        if (!stormy) {
            return 0;
        }
        return switch (choices.below(8)) {
            case 4, 5, 6 -> MILLI;
            case 7 -> latency();
            default -> 0;
        };
    }

    boolean bookmarks() {
        return choices.oneIn(6);
    }

    <T> T from(List<T> options) {
        return choices.from(options);
    }

    /** For how long a server that is overloaded wants to be left alone. */
    long retryAfterSeconds() {
        return choices.below(4) * 5L;
    }
}
