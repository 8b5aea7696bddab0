package io.evenkeel.world.exhaustive;

import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.dispatch.CommandCarrier;
import io.evenkeel.kube.dispatch.Job;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.kube.extender.Extenders;
import io.evenkeel.model.read.ObjectReader;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The requests of one replica, in two halves. What carries a command out waits for its answer, and here nothing waits; so it
 * is carried out as far as its request, which is noted, and once more from the beginning when there is an answer for it.
 *
 * <pre>
 * half      fence            request               what comes of it
 * send      asked            noted, no answer      thrown away, unless nothing was asked
 * receive   as it was then   answered as it was    counts
 * </pre>
 */
final class Wire implements ApiTransport {
    private final CommandCarrier carrier;
    private Optional<ApiCall> sent = Optional.empty();
    private Optional<Answer> answer = Optional.empty();
    private boolean receiving;

    Wire(BooleanSupplier mayWrite, InstantSource time, boolean rebinds) {
        carrier = new CommandCarrier(
                this,
                new ObjectReader(),
                () -> receiving || mayWrite.getAsBoolean(),
                time,
                "small",
                Extenders.none(this),
                rebinds);
    }

    /** What became of a job that asked nothing, or what it asks. */
    record Sending(Outcome outcome, Optional<ApiCall> call) {}

    Sending send(Job job) {
        sent = Optional.empty();
        receiving = false;
        Outcome outcome = carrier.carry(job.work(), job.step(), job.attempts());
        return new Sending(outcome, sent);
    }

    Outcome receive(Errand errand) {
        answer = errand.answer();
        receiving = true;
        return carrier.carry(
                errand.job().work(), errand.job().step(), errand.job().attempts());
    }

    @Override
    public ApiAnswer call(ApiCall call) throws IOException {
        if (receiving) {
            return answer.orElseThrow(() -> new IOException("no answer"));
        }
        sent = Optional.of(call);
        throw new IOException("on its way");
    }

    @Override
    public ApiAnswer stream(ApiCall call) {
        throw new IllegalStateException("nothing is watched by " + call.path());
    }

    @Override
    public String host() {
        return "small";
    }
}
