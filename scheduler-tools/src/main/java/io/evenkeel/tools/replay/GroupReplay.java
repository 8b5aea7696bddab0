package io.evenkeel.tools.replay;

import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.run.BindingSteps;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.groups.Budget;
import io.evenkeel.groups.GroupDecisions;
import io.evenkeel.groups.JointPlacement;
import io.evenkeel.groups.JointPlacer;
import io.evenkeel.model.Pod;
import io.evenkeel.tools.replay.ScenarioAnswer.GroupAnswer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places the groups of a scenario, one after the other. Each pod gets a step as ever: what the filters say and what the
 * nodes score when it is its turn, but the node is the one that was found for it.
 */
final class GroupReplay {
    private final Engine engine;
    private final GroupDecisions decisions;
    private final GroupMode mode;
    private final Replay.PermitDelays delays;
    private final Map<String, Step> steps = new HashMap<>();
    private final Map<String, GroupAnswer> answers = new LinkedHashMap<>();
    /** Of the group that was placed last. */
    private List<Pod> waiting = List.of();

    GroupReplay(Engine engine, GroupMode mode, Replay.PermitDelays delays) {
        this.engine = engine;
        this.decisions = new GroupDecisions(engine.forGroups());
        this.mode = mode;
        this.delays = delays;
    }

    Map<String, GroupAnswer> answers() {
        return answers;
    }

    Step stepOf(Pod pod) {
        Step step = steps.get(pod.key());
        if (step == null) {
            throw new IllegalStateException("pod " + pod.key() + " is in no group that was placed");
        }
        return step;
    }

    /**
     * Places them.
     *
     * @return the pods that wait together, as their group is placed whole or not at all
     */
    List<Pod> place(String name, List<Pod> pods) {
        List<Pod> free = pods.stream().filter(pod -> !isHeld(pod)).toList();
        int held = pods.size() - free.size();
        waiting = List.of();
        answers.put(
                name,
                held == 0 || mode == GroupMode.LOOK_AHEAD
                        ? tried(free)
                        : none(
                                notTried(held + " of its " + pods.size() + " pods " + (held == 1 ? "is" : "are")
                                        + " held back"),
                                free));
        return waiting;
    }

    private boolean isHeld(Pod pod) {
        Optional<SchedulingProfile.Gate> gate = PlacementAnswers.gate(pod, engine);
        gate.ifPresent(closed -> steps.put(pod.key(), Step.held(pod, closed)));
        return gate.isPresent();
    }

    private GroupAnswer tried(List<Pod> pods) {
        int nodes = engine.cluster().nodes().count();
        Budget budget = Budget.usual(pods.size(), nodes);
        JointPlacer.Found found;
        try {
            found = mode == GroupMode.LOOK_AHEAD
                    ? decisions.placeMost(pods, budget)
                    : new JointPlacer.Found(decisions.place(pods, budget), List.of());
        } catch (PluginFailure failure) {
            return failed(failure, pods);
        }
        if (mode == GroupMode.LOOK_AHEAD) {
            return asMany(found, pods);
        }
        return switch (found.placement()) {
            case JointPlacement.Placed placed -> together(placed, placed.order(), List.of(), pods);
            case JointPlacement.EndStateOnly end
            when mode == GroupMode.END_STATE -> together(end, end.seats(), end.seats(), pods);
            default -> none(GroupAnswer.of(found.placement(), mode, List.of()), pods);
        };
    }

    /** Where they need not come together, it costs the one on which a plugin fails its place alone. */
    private GroupAnswer failed(PluginFailure failure, List<Pod> pods) {
        GroupAnswer answer = notTried(failure.getMessage());
        if (mode == GroupMode.LOOK_AHEAD) {
            return leftOver(answer, List.of(), Map.of(), pods);
        }
        pods.forEach(pod -> steps.put(pod.key(), Step.failed(pod, failure)));
        return answer;
    }

    private static GroupAnswer notTried(String why) {
        return new GroupAnswer(GroupAnswer.Outcome.UNKNOWN, List.of(), Optional.of(why), 0);
    }

    /**
     * All or none.
     *
     * @param beside who is taken to be in place already when each is judged
     */
    private GroupAnswer together(JointPlacement found, List<Seat> seats, List<Seat> beside, List<Pod> pods) {
        GroupAnswer answer = GroupAnswer.of(found, mode, seats);
        Map<Pod, BindingSteps> made = new LinkedHashMap<>();
        try {
            String objection = commitAll(seats, beside, made);
            if (objection.isEmpty()) {
                tellClaims(made);
                return answer;
            }
            takeBack(made);
            return none(answer.objected(objection), pods);
        } catch (PluginFailure failure) {
            takeBack(made);
            return failed(failure, pods);
        }
    }

    private GroupAnswer asMany(JointPlacer.Found found, List<Pod> pods) {
        Map<Pod, BindingSteps> made = new LinkedHashMap<>();
        GroupAnswer answer = GroupAnswer.of(found.placement(), mode, List.of());
        String objection;
        try {
            objection = commitAll(found.most(), List.of(), made);
        } catch (PluginFailure failure) {
            objection = failure.getMessage();
        }
        tellClaims(made);
        boolean isNew = found.placement() instanceof JointPlacement.Placed && !objection.isEmpty();
        return leftOver(isNew ? answer.objected(objection) : answer, found.most(), made, pods);
    }

    /** Places pods without a seat by themselves, one after the other, as without a group. */
    private GroupAnswer leftOver(GroupAnswer answer, List<Seat> seats, Map<Pod, BindingSteps> made, List<Pod> pods) {
        List<Seat> placed = new ArrayList<>(
                seats.stream().filter(seat -> made.containsKey(seat.pod())).toList());
        for (Pod pod : pods) {
            if (!made.containsKey(pod)) {
                Step step = PlacementAnswers.place(pod, engine, delays);
                steps.put(pod.key(), step);
                if (step.outcome() instanceof Step.Outcome.Placed(String node, var _)) {
                    placed.add(new Seat(pod, node));
                }
            }
        }
        return new GroupAnswer(answer.outcome(), placed, answer.certificate(), answer.steps());
    }

    /** The filters may let each by itself; it is the group that waits. */
    private GroupAnswer none(GroupAnswer answer, List<Pod> pods) {
        waiting = pods;
        String message = "the group waits: " + answer.certificate().orElse("");
        for (Pod pod : pods) {
            steps.put(pod.key(), judged(pod).waiting(message));
        }
        return answer;
    }

    private Step judged(Pod pod) {
        try {
            return Step.of(
                    pod,
                    Replay.profileOf(pod, engine),
                    engine.decide(pod),
                    engine.cluster().nodes());
        } catch (PluginFailure failure) {
            return Step.failed(pod, failure);
        }
    }

    /** Places the pods one after the other for good, until a plugin objects; answers what it objects. */
    private String commitAll(List<Seat> seats, List<Seat> beside, Map<Pod, BindingSteps> made) {
        for (Seat seat : seats) {
            List<Seat> others =
                    beside.stream().filter(other -> !other.equals(seat)).toList();
            String objection = commit(seat, others, made);
            if (!objection.isEmpty()) {
                return objection;
            }
        }
        return "";
    }

    /** Places the pod for good; answers what a plugin objects. */
    private String commit(Seat seat, List<Seat> beside, Map<Pod, BindingSteps> made) {
        SchedulingProfile profile = Replay.profileOf(seat.pod(), engine);
        record Decided(Decision decision, Step step) {}
        Decided decided = decisions.decideOn(
                seat,
                beside.stream().filter(other -> !made.containsKey(other.pod())).toList(),
                decision -> new Decided(
                        decision,
                        Step.of(seat.pod(), profile, decision, engine.cluster().nodes())));
        if (!(decided.decision() instanceof Decision.Placed placed)) {
            // a plugin says now what it did not when the node was found
            return seat.pod().key() + ": " + message(decided.step());
        }
        Commitment commitment = engine.assume(seat.pod(), placed);
        steps.put(seat.pod().key(), decided.step());
        return switch (commitment) {
            case Commitment.Refused refused -> {
                steps.put(seat.pod().key(), decided.step().objected(refused.objection()));
                yield seat.pod().key() + ": " + refused.objection().message();
            }
            case Commitment.Ready(BindingSteps binding) -> {
                made.put(seat.pod(), binding);
                yield "";
            }
            case Commitment.Waiting(BindingSteps binding, var waits) -> {
                delays.of(seat.pod(), waits);
                made.put(seat.pod(), binding);
                yield "";
            }
        };
    }

    private void tellClaims(Map<Pod, BindingSteps> made) {
        made.keySet()
                .forEach(pod ->
                        steps.computeIfPresent(pod.key(), (_, step) -> PlacementAnswers.withClaims(pod, step, engine)));
    }

    private static String message(Step step) {
        return step.outcome() instanceof Step.Outcome.Waits(var message, var _) ? message : "";
    }

    private void takeBack(Map<Pod, BindingSteps> made) {
        List.copyOf(made.entrySet()).reversed().forEach(entry -> {
            entry.getValue().takeBack();
            engine.remove(entry.getKey());
        });
    }
}
