package io.evenkeel.world.net;

import io.evenkeel.kube.api.ApiCall;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Springs at one of a process' writes, or where it asks what became of one: when that is sent, carried out, or answered. */
public final class Trap {
    /** In the order in which a write passes them. */
    public enum Moment {
        ANSWERED,
        CARRIED_OUT,
        SENT
    }

    /** What else is wrong with the call, if that is to be. */
    public enum Loss {
        NOTHING,
        /** Carried out, and nothing comes back. */
        ANSWER,
        /** Not carried out, and an answer from which that cannot be told. */
        REQUEST,
        /** Not carried out, and refused so that it is no use to ask again at once. */
        PERMISSION,
        /** Not carried out, and answered as if it had been. */
        EFFECT,
        /** Carried out so many seconds later that others have acted by then. */
        TIME,
        /** Carried out later still, when what others wait for is long over, and just before its sender gives up. */
        AGES
    }

    /** Where nothing is to happen. */
    public static final Trap NONE = new Trap(Moment.SENT, 0, Loss.NOTHING, _ -> false, _ -> {});

    private final Moment moment;
    private final Loss loss;
    private final Predicate<ApiCall> which;
    private final Consumer<ApiCall> spring;
    private int writesLeft;

    private Trap(Moment moment, int writes, Loss loss, Predicate<ApiCall> which, Consumer<ApiCall> spring) {
        this.moment = moment;
        this.loss = loss;
        this.which = which;
        this.spring = spring;
        writesLeft = writes;
    }

    /** @param writes springs at the last of so many */
    public static Trap atWrite(Moment moment, int writes, Runnable spring) {
        return new Trap(moment, writes, Loss.NOTHING, call -> !call.method().equals("GET"), _ -> spring.run());
    }

    /** Springs at the next binding, and is told which. */
    public static Trap atBinding(Moment moment, Loss loss, Consumer<ApiCall> spring) {
        return new Trap(moment, 1, loss, Transport::isBinding, spring);
    }

    /** Springs when a binding to this node is sent next, and is told which. */
    public static Trap atBindingTo(String node, Loss loss, Consumer<ApiCall> spring) {
        return new Trap(
                Moment.SENT,
                1,
                loss,
                call -> Transport.isBinding(call)
                        && call.body()
                                .filter(body -> body.content().contains("\"" + node + "\""))
                                .isPresent(),
                spring);
    }

    /** Springs when a claim gets its devices next, or a pod that uses them. */
    public static Trap atClaim(Moment moment, Runnable spring) {
        return new Trap(
                moment,
                1,
                Loss.NOTHING,
                call -> call.method().equals("PATCH")
                        && call.path().contains("/resourceclaims/")
                        && call.path().endsWith("/status"),
                _ -> spring.run());
    }

    /** Springs when something is written next that a pod needs before it is bound: into a claim, or a volume. */
    public static Trap atPreparation(Moment moment, Consumer<ApiCall> spring) {
        return new Trap(
                moment,
                1,
                Loss.NOTHING,
                call -> call.method().equals("PATCH")
                        && List.of("/persistentvolumes/", "/persistentvolumeclaims/", "/resourceclaims/").stream()
                                .anyMatch(call.path()::contains),
                spring);
    }

    /** Springs when the owner of a node is asked for a place there next. */
    public static Trap atAsk(Moment moment, Consumer<ApiCall> spring) {
        return new Trap(
                moment,
                1,
                Loss.NOTHING,
                call -> call.path().endsWith("/status")
                        && call.body()
                                .filter(body -> body.content().contains("\"Asked\""))
                                .isPresent(),
                spring);
    }

    /** Springs when a pod is deleted next for another. */
    public static Trap atDeletion(Moment moment, Loss loss) {
        return new Trap(moment, 1, loss, Transport::isDeletion, _ -> {});
    }

    /** Springs when a pod is looked up next, and is told how. */
    public static Trap atLookup(Moment moment, Loss loss, Consumer<ApiCall> spring) {
        return new Trap(moment, 1, loss, Trap::isLookup, spring);
    }

    /** Springs when a pod is told that it goes for another, or is deleted for it, and is told which. */
    public static Trap atEviction(Moment moment, Loss loss, Consumer<ApiCall> spring) {
        return new Trap(moment, 1, loss, Trap::isEviction, spring);
    }

    /**
     * Springs when something is done for the successor of a pod to be elsewhere, and is told what.
     *
     * @param steps springs at the last of so many
     */
    public static Trap atMove(Moment moment, int steps, Loss loss, Consumer<ApiCall> spring) {
        return new Trap(moment, steps, loss, Transport::isMove, spring);
    }

    private static boolean isEviction(ApiCall call) {
        return call.method().equals("DELETE")
                || call.body()
                        .filter(body -> body.content().contains("\"DisruptionTarget\""))
                        .isPresent();
    }

    private static boolean isLookup(ApiCall call) {
        return call.method().equals("GET") && call.path().contains("/pods/");
    }

    /** A call is at this moment; answers what is lost of it. */
    Loss passes(Moment now, ApiCall call) {
        if (now == moment && writesLeft > 0 && which.test(call) && --writesLeft == 0) {
            spring.accept(call);
            return loss;
        }
        return Loss.NOTHING;
    }
}
