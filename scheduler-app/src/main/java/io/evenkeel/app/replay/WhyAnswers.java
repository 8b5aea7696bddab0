package io.evenkeel.app.replay;

import io.evenkeel.app.why.PodReport;
import io.evenkeel.app.why.WhyFormat;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.why.Answer;
import io.evenkeel.engine.why.Trial;
import io.evenkeel.framework.remedy.Change;
import io.evenkeel.framework.remedy.PodChange;
import io.evenkeel.model.Pod;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Says of each pod of a scenario that finds no node why, as things stand when it is its turn, or once all groups have had theirs,
 * and what would help: the scenario was replayed with it, and the pod finds a node then.
 */
record WhyAnswers(ScenarioEngines engines, WhyFormat format) implements ScenarioAnswers {
    @Override
    public List<String> answer(Scenario scenario, Engine engine, Replay.PermitDelays delays) throws IOException {
        scenario.objects().forEach(engine::put);
        Function<Pod, Step> steps = PlacementAnswers.steps(scenario, engine, delays);
        List<String> lines = new ArrayList<>();
        for (int at = 0; at < scenario.pods().size(); at++) {
            Pod pod = scenario.pods().get(at);
            switch (steps.apply(pod).outcome()) {
                case Step.Outcome.Placed _ -> {}
                case Step.Outcome.Waits waits -> lines.add(why(scenario, at, waits, engine));
                case Step.Outcome.Held(String plugin, String why) ->
                    lines.add(format.format(
                            PodReport.of(scenario.name(), pod.key(), new PodReport.State.Held(plugin, why))));
                case Step.Outcome.Failed(String message) ->
                    lines.add(format.format(
                            PodReport.of(scenario.name(), pod.key(), new PodReport.State.Failed(message))));
            }
        }
        return lines;
    }

    private String why(Scenario scenario, int at, Step.Outcome.Waits waits, Engine engine) throws IOException {
        Pod pod = scenario.pods().get(at);
        Trial replay = new ReplayTrial(engines, scenario, at);
        Trial here = engine.questions().trial(pod);
        Answer answer = engine.questions()
                .why(pod, changes -> (isOfThePodAlone(changes, scenario) ? here : replay).nodeWith(changes), _ -> true);
        return format.format(
                PodReport.of(scenario.name(), pod.key(), new PodReport.State.Waits(waits.message(), answer)));
    }

    /** The pods before it come to the same cluster then as without the changes. */
    private static boolean isOfThePodAlone(List<Change> changes, Scenario scenario) {
        return scenario.groups().isEmpty() && changes.stream().allMatch(PodChange.class::isInstance);
    }
}
