package io.evenkeel.kube.extender;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.config.Extender;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.LogThrottle;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Slots;
import io.evenkeel.kube.extender.HttpExtender.ExtenderQuestion;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The extenders of a configuration, in the reference's order: those to be ignored on failure come last. Each filters what the
 * one before it has left; they score side by side.
 *
 * <p>Called by threads that may wait. For example, with three extenders, the second down and ignorable:
 *
 * <pre>
 * asked about n1 n2 n3
 * A, filter        n2 n3 are left, n1: "no GPU of that kind"
 * C, filter        no answer within 5 s        nothing may go anywhere, unless C is ignorable: n2 n3 are left
 * A C, prioritize  n2: 3 × weight 2 × 10       C gives nothing
 * </pre>
 */
public final class Extenders implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Extenders.class);
    private static final int MOST_BINDINGS = 64;
    private static final Duration A_LINE = Duration.ofMinutes(1);

    private final List<HttpExtender> extenders;
    private final WholeObjects objects;
    private final Machine machine;
    private final Slots places;
    private final LogThrottle skipped;
    private final LogThrottle unscored;

    private Extenders(List<HttpExtender> extenders, WholeObjects objects, Machine machine) {
        this.extenders = List.copyOf(extenders);
        this.objects = objects;
        this.machine = machine;
        this.places = machine.room(MOST_BINDINGS);
        this.skipped = new LogThrottle(A_LINE, machine.clocks().nanos());
        this.unscored = new LogThrottle(A_LINE, machine.clocks().nanos());
    }

    /**
     * Makes the clients of the configuration's extenders, and calls none yet.
     *
     * @param transport for what extenders get to read
     * @throws io.evenkeel.problem.ConfigurationException if there is no way to one
     */
    public static Extenders of(
            SchedulerConfiguration configuration, ApiTransport transport, ExtenderObserver observer, Machine machine) {
        List<HttpExtender> clients = new ArrayList<>();
        for (Extender extender : inOrder(configuration.extenders())) {
            clients.add(new HttpExtender(
                    extender, new ExtenderClient(extender, observer, machine.clocks(), machine.interceptors())));
        }
        return new Extenders(clients, new WholeObjects(transport), machine);
    }

    /** The extenders of a configuration that has none. */
    public static Extenders none(ApiTransport transport) {
        return of(SchedulerConfiguration.defaults(), transport, ExtenderObserver.NONE, Machine.SYSTEM);
    }

    private static List<Extender> inOrder(List<Extender> configured) {
        return Stream.concat(
                        configured.stream().filter(extender -> !extender.ignorable()),
                        configured.stream().filter(Extender::ignorable))
                .toList();
    }

    /** Asks them, on a thread of its own; there is one answer, whatever goes wrong, unless they are closed before. */
    public void ask(Command.AskExtenders question, Consumer<? super SchedulerEvent.ExtendersAnswered> answers) {
        machine.thread("extender", () -> {
                    Answer answer = answer(question);
                    answers.accept(new SchedulerEvent.ExtendersAnswered(question.pod(), answer));
                })
                .start();
    }

    private Answer answer(Command.AskExtenders question) {
        try {
            return switch (question) {
                case Command.AskOfNodes(Pod pod, List<Node> nodes) -> new Answer.Advised(advise(pod, nodes));
                case Command.AskOfVictims(var pod, var candidates, var podsByNode) ->
                    new Answer.VictimsChosen(preempt(pod, candidates, podsByNode));
            };
        } catch (ExtenderException failed) {
            return new Answer.Failed(String.valueOf(failed.getMessage()));
        } catch (RuntimeException | Error unexpected) {
            log.atError()
                    .setMessage("Asking extenders failed unexpectedly")
                    .addKeyValue("pod", question.pod().key())
                    .setCause(unexpected)
                    .log();
            return new Answer.Failed(String.valueOf(unexpected));
        }
    }

    /**
     * Asks the extenders about the nodes.
     *
     * @throws ExtenderException if one fails that may not be ignored
     */
    public ExtenderAdvice advise(Pod pod, List<Node> nodes) throws ExtenderException {
        ExtenderQuestion question = new ExtenderQuestion(objects, pod, nodes);
        List<String> left = nodes.stream().map(Node::name).toList();
        Map<String, Status> turnedAway = new LinkedHashMap<>();
        for (HttpExtender extender : extenders) {
            if (left.isEmpty() || !extender.filters() || !extender.isInterestedIn(pod)) {
                continue;
            }
            try {
                HttpExtender.Passed passed = extender.filter(question, left);
                turnedAway.putAll(passed.turnedAway());
                left = passed.nodes();
            } catch (ExtenderException failed) {
                requireIgnorable(extender, pod, "filter", failed);
            }
        }
        return new ExtenderAdvice(Set.copyOf(left), turnedAway, scores(question, pod, left));
    }

    /** As the reference does, one of several nodes is chosen with regard to scores, and the only one without. All are asked at once. */
    private Map<String, Long> scores(ExtenderQuestion question, Pod pod, List<String> nodes) {
        if (nodes.size() < 2) {
            return Map.of();
        }
        List<HttpExtender> asked = extenders.stream()
                .filter(extender -> extender.prioritizes() && extender.isInterestedIn(pod))
                .toList();
        if (asked.isEmpty()) {
            return Map.of();
        }
        List<FutureTask<Map<String, Long>>> answers = new ArrayList<>();
        for (HttpExtender extender : asked.subList(1, asked.size())) {
            FutureTask<Map<String, Long>> answer = new FutureTask<>(() -> scores(extender, question, pod, nodes));
            answers.add(answer);
            machine.thread("extender", answer).start();
        }
        Map<String, Long> sums = new LinkedHashMap<>(scores(asked.getFirst(), question, pod, nodes));
        for (FutureTask<Map<String, Long>> answer : answers) {
            try {
                answer.get().forEach((node, score) -> sums.merge(node, score, Long::sum));
            } catch (ExecutionException unexpected) {
                throw new IllegalStateException(unexpected.getCause());
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
                return Map.of();
            }
        }
        return sums;
    }

    private Map<String, Long> scores(HttpExtender extender, ExtenderQuestion question, Pod pod, List<String> nodes) {
        try {
            return extender.scores(question, nodes);
        } catch (ExtenderException failed) {
            unscored.count(times -> log.atWarn()
                    .setMessage("Extender gives no scores, going on without")
                    .addKeyValue("extender", extender.name())
                    .addKeyValue("pod", pod.key())
                    .addKeyValue("why", failed.getMessage())
                    .addKeyValue("times", times)
                    .log());
            return Map.of();
        }
    }

    public boolean haveBinderOf(Pod pod) {
        return binder(pod).isPresent();
    }

    private Optional<HttpExtender> binder(Pod pod) {
        return extenders.stream()
                .filter(extender -> extender.binds() && extender.isInterestedIn(pod))
                .findFirst();
    }

    /** Carries it out as soon as there are not too many more that wait for an extender to bind a pod. */
    public <T> T inPlace(Supplier<T> binding) {
        places.enter();
        try {
            return binding.get();
        } finally {
            places.leave();
        }
    }

    /**
     * Lets the extender that wants to bind the pod.
     *
     * @return whether it has; not so where none wants to, or it failed and may be ignored
     * @throws ExtenderException if it failed, where it is not known whether the pod is bound
     */
    public boolean bind(Pod pod, String node) throws ExtenderException {
        Optional<HttpExtender> binder = binder(pod);
        if (binder.isEmpty()) {
            return false;
        }
        try {
            binder.get().bind(pod, node);
            return true;
        } catch (ExtenderException failed) {
            requireIgnorable(binder.get(), pod, "bind", failed);
            return false;
        }
    }

    /**
     * Asks the extenders one after the other which of the ways to make room for the pod they leave.
     *
     * @param pods by node, all that are there, among which an extender may name others
     * @throws ExtenderException if one fails that may not be ignored
     */
    public List<PreemptionCandidate> preempt(Pod pod, List<PreemptionCandidate> candidates, Map<String, List<Pod>> pods)
            throws ExtenderException {
        ExtenderQuestion question = new ExtenderQuestion(objects, pod, List.of());
        List<PreemptionCandidate> left = candidates;
        for (HttpExtender extender : extenders) {
            if (left.isEmpty() || !extender.preempts() || !extender.isInterestedIn(pod)) {
                continue;
            }
            try {
                left = withVictims(extender, left, extender.preempt(question, left, pods));
            } catch (ExtenderException failed) {
                requireIgnorable(extender, pod, "preempt", failed);
            }
        }
        return left.stream().filter(Extenders::hasVictims).toList();
    }

    /**
     * A node without victims makes no room, and an extender that may be ignored is not taken at its word there. Where nobody was
     * to go before it was asked either, the next may know somebody.
     */
    private static List<PreemptionCandidate> withVictims(
            HttpExtender extender, List<PreemptionCandidate> asked, List<PreemptionCandidate> named)
            throws ExtenderException {
        Set<String> open = asked.stream()
                .filter(candidate -> !hasVictims(candidate))
                .map(PreemptionCandidate::node)
                .collect(Collectors.toSet());
        List<PreemptionCandidate> left = new ArrayList<>();
        for (PreemptionCandidate candidate : named) {
            if (hasVictims(candidate) || open.contains(candidate.node())) {
                left.add(candidate);
            } else if (!extender.isIgnorable()) {
                throw new ExtenderException("expected at least one victim pod on node \"" + candidate.node() + "\"");
            }
        }
        return left;
    }

    private static boolean hasVictims(PreemptionCandidate candidate) {
        return !candidate.victims().isEmpty();
    }

    private void requireIgnorable(HttpExtender extender, Pod pod, String what, ExtenderException failed)
            throws ExtenderException {
        if (!extender.isIgnorable()) {
            throw failed;
        }
        skipped.count(times -> log.atWarn()
                .setMessage("Extender fails, going on without as it is ignorable")
                .addKeyValue("extender", extender.name())
                .addKeyValue("verb", what)
                .addKeyValue("pod", pod.key())
                .addKeyValue("why", failed.getMessage())
                .addKeyValue("times", times)
                .log());
    }

    @Override
    public void close() {
        extenders.forEach(HttpExtender::close);
    }

    /** An observer of the calls to extenders, for metrics. Called by many threads. */
    @FunctionalInterface
    public interface ExtenderObserver {
        ExtenderObserver NONE = (_, _, _, _) -> {};

        /**
         * An extender was called.
         *
         * @param verb as it is configured
         * @param success whether it answered, and so that it could be read
         */
        void called(String extender, String verb, boolean success, Duration took);
    }

    /** An extender did not answer, or not with what it was asked for; the message is for the pod's user. */
    public static class ExtenderException extends IOException {
        private static final long serialVersionUID = 1L;

        ExtenderException(String message) {
            super(message);
        }

        ExtenderException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
