package io.evenkeel.tools.cli;

import io.evenkeel.app.cli.MoreCommands;
import java.util.List;

/** The tools' commands, in the order of the help. */
public final class ToolCommands implements MoreCommands {
    @Override
    public List<Object> commands() {
        return List.of(
                new ReplayCommand(), new WhyCommand(), new ObserveCommand(), new SimulateCommand(), new DumpCommand());
    }
}
