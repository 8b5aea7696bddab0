package io.evenkeel.tools.replay;

import io.evenkeel.engine.Engine;
import java.io.IOException;
import java.util.List;

/** Answers a scenario. */
@FunctionalInterface
interface ScenarioAnswers {

    /**
     * The answer in lines, perhaps none.
     *
     * @param engine made for this scenario, and empty
     */
    List<String> answer(Scenario scenario, Engine engine, Replay.PermitDelays delays) throws IOException;
}
