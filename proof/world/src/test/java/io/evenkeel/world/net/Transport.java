package io.evenkeel.world.net;

import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.world.play.Actors;
import io.evenkeel.world.play.Agenda;
import io.evenkeel.world.play.SimulatedProcess;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A process' way to the API servers: what it asks is answered late, in part, twice, falsely, or not at all. */
public final class Transport implements ApiTransport {
    /** As the client's own limit for calls. */
    private static final long LONGEST_CALL = TimeUnit.SECONDS.toNanos(30);

    /** In which most news get around, and what they lead to is decided. */
    private static final long TO_BE_OVERTAKEN = TimeUnit.SECONDS.toNanos(4);

    /** In which a node is another's, and full. */
    private static final long TO_BE_FORGOTTEN = TimeUnit.SECONDS.toNanos(16);

    private final Agenda agenda;
    private final SimulatedProcess process;
    private final Weather weather;
    private final Servers servers;
    private final List<Front> fronts;
    private final Watcher watcher;
    private final Consumer<Supplier<String>> story;
    private int front;
    private long cutOffUntil;
    private Trap trap = Trap.NONE;

    /** Sees what becomes of a process' calls. */
    public interface Watcher {
        /** It is sent now. */
        void sends(ApiCall call);

        /**
         * It is carried out, whatever the log has of it until that has been done.
         *
         * @param isLate whether nobody waits for the answer any more
         */
        void carriesOut(ApiCall call, boolean isLate);

        void carriedOut();

        /**
         * The process hears of it.
         *
         * @param code of the answer; 0 where there is none
         */
        void hears(ApiCall call, int code);
    }

    /**
     * A process' transport.
     *
     * @param front the number of the server that it is connected to at first
     * @param watcher sees what is sent, when it is sent, and what comes back
     * @param story is told of what is asked and what goes wrong
     */
    public Transport(
            Agenda agenda,
            SimulatedProcess process,
            Weather weather,
            Servers servers,
            List<Front> fronts,
            int front,
            Watcher watcher,
            Consumer<Supplier<String>> story) {
        this.agenda = agenda;
        this.process = process;
        this.weather = weather;
        this.servers = servers;
        this.fronts = fronts;
        this.front = front;
        this.watcher = watcher;
        this.story = story;
    }

    /** The number of the API server that it is connected to. */
    public int front() {
        return front;
    }

    /** Connects to another API server from now on. */
    public void failOver() {
        front = (front + 1) % fronts.size();
    }

    /** Nothing that is sent arrives for a while, and no stream can be opened. */
    public void cutOff(long nanos) {
        cutOffUntil = Math.max(cutOffUntil, agenda.now() + nanos);
    }

    private boolean isCutOff() {
        return agenda.now() < cutOffUntil;
    }

    /** Sets it for the writes to come, in place of another. */
    public void set(Trap next) {
        trap = next;
    }

    @Override
    public ApiAnswer call(ApiCall call) throws IOException {
        Weather.Fate fate = weather.fate(isAboutPod(call), isBinding(call) || isDeletion(call) || isMove(call));
        return new Exchange(call, isCutOff() ? Weather.Fate.REQUEST_LOST : fate).run();
    }

    /**
     * Of a lease that a server only pretends to grant nothing is promised, as it keeps nobody apart; nor of a condition,
     * which nobody reads again.
     */
    static boolean isBinding(ApiCall call) {
        return call.path().endsWith("/binding");
    }

    static boolean isDeletion(ApiCall call) {
        return call.method().equals("DELETE");
    }

    /** Of a pod whose successor is to be elsewhere, or of its Deployment, which has a pod more for that. */
    static boolean isMove(ApiCall call) {
        return call.path().endsWith("/eviction")
                || (call.path().contains("/deployments/") && call.method().equals("PATCH"));
    }

    private static boolean isAboutPod(ApiCall call) {
        return call.path().contains("/pods/");
    }

    @Override
    public ApiAnswer stream(ApiCall call) throws IOException {
        if (process.isKilled()) {
            throw SimulatedProcess.gone();
        }
        pauseFor(weather.latency());
        if (process.isKilled()) {
            throw SimulatedProcess.gone();
        }
        if (isCutOff()) {
            throw new IOException("no route to host");
        }
        return fronts.get(front).open(process, call);
    }

    private void pauseFor(long nanos) {
        Actors.Actor waiting = process.current();
        process.at(agenda.now() + nanos, waiting::resume);
        process.await();
    }

    @Override
    public String host() {
        return "world";
    }

    /** One call on its way there and back. */
    private final class Exchange {
        private final ApiCall call;
        private Weather.Fate fate;
        private final Actors.Actor caller = process.current();
        private Optional<Reply> answer = Optional.empty();
        private boolean over;

        private Exchange(ApiCall call, Weather.Fate fate) {
            this.call = call;
            this.fate = fate;
        }

        private ApiAnswer run() throws IOException {
            if (process.isKilled()) {
                throw SimulatedProcess.gone();
            }
            watcher.sends(call);
            long late = 0;
            switch (passes(Trap.Moment.SENT)) {
                case ANSWER -> fate = Weather.Fate.ANSWER_LOST;
                case REQUEST -> fate = Weather.Fate.REFUSED_500;
                case PERMISSION -> fate = Weather.Fate.FORBIDDEN;
                case EFFECT -> fate = Weather.Fate.LIE;
                case TIME -> late = TO_BE_OVERTAKEN;
                case AGES -> late = TO_BE_FORGOTTEN;
                case NOTHING -> {}
            }
            long limit = Math.min(LONGEST_CALL, process.patience());
            process.at(agenda.now() + limit, this::finish);
            long there = late + (fate == Weather.Fate.OVERDUE ? LONGEST_CALL : 0) + weather.latency();
            // not the process' affair any more: it may be paused or gone when this arrives
            agenda.after(there, this::arrive);
            while (!over && !process.isKilled()) {
                process.await();
            }
            if (process.isKilled()) {
                throw SimulatedProcess.gone();
            }
            watcher.hears(call, answer.map(Reply::code).orElse(0));
            Reply reply = answer.orElseThrow(() -> new IOException("no answer"));
            Arrival arrival =
                    new Arrival(process, reply.code(), reply.contentType(), reply.retryAfterSeconds(), () -> {});
            arrival.came(reply.body());
            if (fate == Weather.Fate.CUT) {
                arrival.breakOff();
            } else {
                arrival.end();
            }
            return arrival;
        }

        private Trap.Loss passes(Trap.Moment moment) {
            return trap.passes(moment, call);
        }

        private void arrive() {
            passes(Trap.Moment.CARRIED_OUT);
            Optional<Reply> reply = switch (fate) {
                case REQUEST_LOST -> Optional.empty();
                case REFUSED_429 -> Optional.of(Reply.refusal(429, "TooManyRequests", weather.retryAfterSeconds()));
                case REFUSED_500 -> Optional.of(Reply.refusal(500, "InternalError", 0));
                case REFUSED_503 -> Optional.of(Reply.refusal(503, "ServiceUnavailable", weather.retryAfterSeconds()));
                case BAD_GATEWAY -> Optional.of(Reply.page(502));
                case FORBIDDEN -> {
                    servers.refuses(call);
                    yield Optional.of(Refusals.of(weather));
                }
                case CUT -> {
                    Reply whole = carriedOut();
                    yield Optional.of(whole.part(weather.cutAt(whole.body().length)));
                }
                case GARBLED -> Optional.of(Reply.page(carriedOut().code()));
                case LIE -> Optional.of(new Reply(201, "application/json", 0, new byte[] {'{', '}'}));
                case DOUBLED -> {
                    carriedOut();
                    yield Optional.of(carriedOut());
                }
                case DONE_AND_REFUSED -> {
                    carriedOut();
                    yield Optional.of(Reply.refusal(503, "ServiceUnavailable", 0));
                }
                case ANSWER_LOST, OVERDUE -> {
                    carriedOut();
                    yield Optional.empty();
                }
                case ANSWERED -> Optional.of(carriedOut());
            };
            Weather.Fate met = fate;
            story.accept(() -> call.method() + " " + call.path() + " "
                    + call.body().map(ApiCall.Body::content).orElse("") + " → "
                    + reply.map(each -> Integer.toString(each.code())).orElse("nothing")
                    + (met == Weather.Fate.ANSWERED ? "" : " " + met));
            agenda.after(weather.latency(), () -> {
                answer = answer.or(() -> over ? Optional.empty() : reply);
                boolean tells = reply.isPresent() || fate == Weather.Fate.ANSWER_LOST;
                if (tells) {
                    process.at(agenda.now(), this::finish);
                }
            });
        }

        private Reply carriedOut() {
            boolean isLate = over || process.isKilled() || fate == Weather.Fate.OVERDUE;
            watcher.carriesOut(call, isLate);
            Reply reply = isLate ? servers.answerLate(call) : servers.answer(call);
            watcher.carriedOut();
            return reply;
        }

        private void finish() {
            if (!over) {
                passes(Trap.Moment.ANSWERED);
                over = true;
                caller.resume();
            }
        }
    }
}
