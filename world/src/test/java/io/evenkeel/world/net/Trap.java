package io.evenkeel.world.net;

/** Springs at one of a process' writes: when that is sent, carried out, or answered. */
public final class Trap {
    /** In the order in which a write passes them. */
    public enum Moment {
        ANSWERED,
        CARRIED_OUT,
        SENT
    }

    /** Where nothing is to happen. */
    public static final Trap NONE = new Trap(Moment.SENT, 0, () -> {});

    private final Moment moment;
    private final Runnable spring;
    private int writesLeft;

    /** @param writes springs at the last of so many */
    public Trap(Moment moment, int writes, Runnable spring) {
        this.moment = moment;
        this.spring = spring;
        writesLeft = writes;
    }

    /** A write is at this moment. */
    void passes(Moment now) {
        if (now == moment && writesLeft > 0 && --writesLeft == 0) {
            spring.run();
        }
    }
}
