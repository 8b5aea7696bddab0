package io.evenkeel.app.replay;

import io.evenkeel.engine.Engine;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.why.Trial;
import io.evenkeel.framework.remedy.Change;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;

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
        Pod asked = changed.pods().get(at);
        Step step = changed.groups().isPresent()
                ? together(changed.groups().get(), asked, engine)
                : oneByOne(changed, engine);
        return step.outcome() instanceof Step.Outcome.Placed(String node) ? Optional.of(node) : Optional.empty();
    }

    private Step oneByOne(Scenario changed, Engine engine) {
        for (Pod before : changed.pods().subList(0, at)) {
            PlacementAnswers.place(before, engine, ALLOWED);
        }
        return PlacementAnswers.place(changed.pods().get(at), engine, ALLOWED);
    }

    private static Step together(ScenarioGroups groups, Pod asked, Engine engine) {
        GroupReplay replay =
                new GroupReplay(engine, groups.mode(), pod -> PlacementAnswers.place(pod, engine, ALLOWED), ALLOWED);
        groups.pods().forEach(replay::place);
        return replay.stepOf(asked);
    }
}
