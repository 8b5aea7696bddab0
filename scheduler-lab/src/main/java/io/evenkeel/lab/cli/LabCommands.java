package io.evenkeel.lab.cli;

import io.evenkeel.app.cli.MoreCommands;
import java.util.List;

/** The laboratory's commands, in the order of the help. */
public final class LabCommands implements MoreCommands {
    @Override
    public List<Object> commands() {
        return List.of(new BenchCommand(), new BenchClusterCommand(), new DemoCommand(), new HollowCommand());
    }
}
