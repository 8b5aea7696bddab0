package io.evenkeel.app.replay;

import io.evenkeel.engine.Engine;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.why.Trial;
import io.evenkeel.framework.remedy.Change;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tries changes by replaying a scenario with them from its beginning, so that the pods before have come to what is changed too.
 *
 * @param at the pod that is asked about, by its place in the scenario
 */
record ReplayTrial(ScenarioEngines engines, Scenario scenario, int at) implements Trial {
    private static final Replay.PermitDelays ALLOWED = (_, _) -> {};

    @Override
    public Optional<String> nodeWith(List<Change> changes) {
        return ChangedScenario.of(scenario, at, changes).flatMap(this::nodeIn);
    }

    private Optional<String> nodeIn(Scenario changed) {
        Engine engine = engines.of(changed, SchedulerObserver.NONE);
        changed.objects().forEach(engine::put);
        Function<Pod, Step> steps = PlacementAnswers.steps(changed, engine, ALLOWED);
        return changed.pods().subList(0, at + 1).stream()
                .map(steps)
                .reduce((before, asked) -> asked)
                .map(Step::outcome)
                .flatMap(outcome ->
                        outcome instanceof Step.Outcome.Placed(String node) ? Optional.of(node) : Optional.empty());
    }
}
