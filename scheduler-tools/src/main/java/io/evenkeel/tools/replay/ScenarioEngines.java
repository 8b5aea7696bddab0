package io.evenkeel.tools.replay;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.ProfilesCheck;
import io.evenkeel.problem.ConfigurationException;

/**
 * Makes engines for scenarios.
 *
 * @param gates the command line's gates; a scenario may set more
 */
record ScenarioEngines(PluginRegistry registry, FeatureGates gates) {

    /** An empty one. */
    Engine of(Scenario scenario, SchedulerObserver observer) {
        SchedulerConfiguration configuration = scenario.asked().toBuilder()
                .featureGates(gates.and(scenario.featureGates()))
                .build();
        try {
            return new Engine(configuration, registry, new FirstByName(), SchedulingCycle.Scoring.ALWAYS, observer);
        } catch (ConfigurationException unusable) {
            // says it again, with the places
            ProfilesCheck.require("config", configuration, registry);
            throw unusable;
        }
    }
}
