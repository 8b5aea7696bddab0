package io.evenkeel.tools.replay;

import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.framework.ClaimingPlugin;
import io.evenkeel.framework.GroupPlugin;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Pod;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.replay.Replay.ScenarioAnswers;
import io.evenkeel.tools.replay.Replay.StepAudit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Says of each pod of a scenario where it goes, or why nowhere. */
record PlacementAnswers(StepAudit audit, Function<Report, String> format) implements ScenarioAnswers {
    @Override
    public List<String> answer(Scenario scenario, Engine engine, Replay.PermitDelays delays) {
        scenario.objects().forEach(engine::put);
        audit.after("the objects of " + scenario.name(), engine.cluster());
        if (scenario.groups().isPresent()) {
            return List.of(together(scenario, scenario.groups().get(), engine, delays));
        }
        List<Step> steps = new ArrayList<>();
        Set<String> victims = new HashSet<>();
        for (Pod pod : scenario.pods()) {
            steps.add(place(pod, engine, delays).withVictimsBut(victims));
            audit.after(pod.key() + " in " + scenario.name(), engine.cluster());
        }
        return List.of(format.apply(new ScenarioAnswer(scenario.name(), steps, Map.of())));
    }

    private String together(Scenario scenario, ScenarioGroups groups, Engine engine, Replay.PermitDelays delays) {
        GroupReplay replay = new GroupReplay(engine, groups.mode(), delays);
        groups.pods().forEach((name, pods) -> {
            replay.place(name, pods);
            audit.after("group " + name + " in " + scenario.name(), engine.cluster());
        });
        Set<String> victims = new HashSet<>();
        List<Step> steps = scenario.pods().stream()
                .map(pod -> replay.stepOf(pod).withVictimsBut(victims))
                .toList();
        return format.apply(new ScenarioAnswer(scenario.name(), steps, replay.answers()));
    }

    /**
     * Where each pod goes, to be asked of all in their order: one by one as they are asked about, or together, which is done
     * before.
     */
    static Function<Pod, Step> steps(Scenario scenario, Engine engine, Replay.PermitDelays delays) {
        if (scenario.groups().isEmpty()) {
            return pod -> place(pod, engine, delays);
        }
        ScenarioGroups groups = scenario.groups().get();
        GroupReplay replay = new GroupReplay(engine, groups.mode(), delays);
        groups.pods().forEach(replay::place);
        return replay::stepOf;
    }

    /** Decides about one pod, and leaves it where it goes. */
    static Step place(Pod pod, Engine engine, Replay.PermitDelays delays) {
        Optional<SchedulingProfile.Gate> gate = gate(pod, engine);
        if (gate.isPresent()) {
            return Step.held(pod, gate.get());
        }
        try {
            return decide(pod, engine, delays);
        } catch (PluginFailure failure) {
            return Step.failed(pod, failure);
        }
    }

    /** Returns what keeps the pod out of the queue except its group: the scenario says which pod has its turn. */
    static Optional<SchedulingProfile.Gate> gate(Pod pod, Engine engine) {
        SchedulingProfile profile = Replay.profileOf(pod, engine);
        return profile.preEnqueue(pod)
                .filter(gate -> profile.plugins().stream()
                        .noneMatch(plugin ->
                                plugin instanceof GroupPlugin && plugin.name().equals(gate.plugin())));
    }

    private static Step decide(Pod pod, Engine engine, Replay.PermitDelays delays) {
        SchedulingProfile profile = Replay.profileOf(pod, engine);
        Decision decision = engine.decide(pod);
        Step step = Step.of(pod, profile, decision, engine.cluster().nodes());
        if (!(decision instanceof Decision.Placed placed)) {
            return step;
        }
        return switch (engine.assume(pod, placed)) {
            case Commitment.Refused refused -> step.objected(refused.objection());
            case Commitment.Ready _ -> withClaims(pod, step, engine);
            case Commitment.Waiting waiting -> {
                delays.of(pod, waiting.delays());
                yield withClaims(pod, step, engine);
            }
        };
    }

    /** Tells which devices the pod has on its node. */
    static Step withClaims(Pod pod, Step step, Engine engine) {
        return step.withClaims(node -> Replay.profileOf(pod, engine).plugins().stream()
                .filter(ClaimingPlugin.class::isInstance)
                .flatMap(plugin -> ((ClaimingPlugin) plugin).claimsOf(pod, node).stream())
                .toList());
    }
}
