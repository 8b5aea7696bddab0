package io.evenkeel.hollow;

import io.evenkeel.hollow.Authorizer.Attributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The trouble that tests have ordered. Rules are tried in the order in which they were added; the first that strikes wins.
 * An equal seed and an equal order of requests bring equal trouble.
 */
public final class Faults {

    private final SplittableRandom random;
    private final List<Rule> rules = new ArrayList<>();
    private final List<HeldRequests> holds = new CopyOnWriteArrayList<>();
    private Duration latency = Duration.ZERO;
    private double droppedEvents;
    private double duplicatedEvents;

    public Faults(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Delays every answer. */
    public synchronized void latency(Duration delay) {
        latency = delay;
    }

    /** Lets all requests that match wait, before anything is done for them, until they are let on. */
    public synchronized HeldRequests hold(RequestMatch match) {
        HeldRequests held = new HeldRequests(match);
        holds.add(held);
        return held;
    }

    /** Returns at once unless such requests are held. */
    public void awaitLetOn(Attributes attributes) throws InterruptedException {
        for (HeldRequests each : holds) {
            each.await(attributes);
        }
    }

    /** Refuses the next {@code times} requests that match. */
    public void refuseNext(int times, RequestMatch match, int code, int retryAfterSeconds) {
        add(new Rule(match, new Fault.Refuse(code, retryAfterSeconds), 1, times));
    }

    /** Refuses a share of the requests that match, between 0 and 1. */
    public void refuseShare(double share, RequestMatch match, int code, int retryAfterSeconds) {
        add(new Rule(match, new Fault.Refuse(code, retryAfterSeconds), share, Integer.MAX_VALUE));
    }

    /** Does what the next {@code times} matching requests want, and breaks them off instead of answering. */
    public void dropNextAnswers(int times, RequestMatch match) {
        add(new Rule(match, new Fault.DropAnswer(), 1, times));
    }

    public void dropShareOfAnswers(double share, RequestMatch match) {
        add(new Rule(match, new Fault.DropAnswer(), share, Integer.MAX_VALUE));
    }

    /** Breaks off the next {@code times} matching requests without doing what they want. */
    public void dropNextRequests(int times, RequestMatch match) {
        add(new Rule(match, new Fault.DropRequest(), 1, times));
    }

    /**
     * Does what the next {@code times} matching requests want, and breaks their connections instead of answering. Over HTTP/2
     * others are underway on them, which hear no more either.
     */
    public void breakNextConnections(int times, RequestMatch match) {
        add(new Rule(match, new Fault.BreakConnection(), 1, times));
    }

    /** Loses and repeats shares of all watch events, as no real server should. */
    public synchronized void watchEvents(double dropped, double duplicated) {
        droppedEvents = dropped;
        duplicatedEvents = duplicated;
    }

    /** All is well again. */
    public synchronized void clear() {
        rules.clear();
        holds.forEach(HeldRequests::letOn);
        holds.clear();
        latency = Duration.ZERO;
        droppedEvents = 0;
        duplicatedEvents = 0;
    }

    public synchronized Duration currentLatency() {
        return latency;
    }

    /** Returns the fault that strikes this request. */
    public synchronized Optional<Fault> strike(Attributes attributes) {
        for (Iterator<Rule> all = rules.iterator(); all.hasNext(); ) {
            Rule rule = all.next();
            if (rule.match.matches(attributes) && (rule.share >= 1 || random.nextDouble() < rule.share)) {
                if (--rule.left == 0) {
                    all.remove();
                }
                return Optional.of(rule.fault);
            }
        }
        return Optional.empty();
    }

    /** How often a watch event is sent: usually once. */
    public synchronized int copiesOfEvent() {
        if (droppedEvents == 0 && duplicatedEvents == 0) {
            return 1;
        }
        double drawn = random.nextDouble();
        if (drawn < droppedEvents) {
            return 0;
        }
        return drawn < droppedEvents + duplicatedEvents ? 2 : 1;
    }

    private synchronized void add(Rule rule) {
        if (rule.left > 0) {
            rules.add(rule);
        }
    }

    private static final class Rule {
        private final RequestMatch match;
        private final Fault fault;
        private final double share;
        private int left;

        private Rule(RequestMatch match, Fault fault, double share, int left) {
            this.match = match;
            this.fault = fault;
            this.share = share;
            this.left = left;
        }
    }

    /** Requests that have come, and for which nothing is done until they are let on. */
    public static final class HeldRequests {

        private final RequestMatch match;
        private final CountDownLatch letOn = new CountDownLatch(1);
        private final AtomicInteger waiting = new AtomicInteger();

        HeldRequests(RequestMatch match) {
            this.match = match;
        }

        /** How many wait now. */
        public int waiting() {
            return waiting.get();
        }

        /** Lets them on, and holds no others from now on. */
        public void letOn() {
            letOn.countDown();
        }

        void await(Attributes attributes) throws InterruptedException {
            if (match.matches(attributes)) {
                waiting.incrementAndGet();
                try {
                    letOn.await();
                } finally {
                    waiting.decrementAndGet();
                }
            }
        }
    }

    /** Requests of a verb on a resource, such as {@code create pods/binding}; {@code *} stands for any. */
    public record RequestMatch(String verb, String resource) {

        public static final RequestMatch ANY = new RequestMatch("*", "*");

        boolean matches(Attributes attributes) {
            return (verb.equals("*") || verb.equals(attributes.verb()))
                    && (resource.equals("*") || resource.equals(attributes.resourcePath()));
        }
    }

    /** The trouble with a request. */
    sealed interface Fault {

        /** It is refused; a Retry-After of 0 is left out. */
        record Refuse(int code, int retryAfterSeconds) implements Fault {}

        /** It is done, but broken off before the answer. */
        record DropAnswer() implements Fault {}

        /** It is broken off before it is done. */
        record DropRequest() implements Fault {}

        /** It is done, but its connection breaks before the answer, with whatever else is underway on it. */
        record BreakConnection() implements Fault {}
    }
}
