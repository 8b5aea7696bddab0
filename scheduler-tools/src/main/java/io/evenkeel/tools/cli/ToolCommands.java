package io.evenkeel.tools.cli;

import io.evenkeel.app.cli.MoreCommands;
import io.evenkeel.tools.drain.CapacityCommand;
import io.evenkeel.tools.drain.ConsolidateCommand;
import io.evenkeel.tools.drain.DrainCommand;
import io.evenkeel.tools.dump.DumpCommand;
import io.evenkeel.tools.rebalance.RebalanceCommand;
import io.evenkeel.tools.replay.ReplayCommand;
import io.evenkeel.tools.simulate.SimulateCommand;
import java.util.List;

/** The tools' commands, in the order of the help. */
public final class ToolCommands implements MoreCommands {
    @Override
    public List<Object> commands() {
        return List.of(
                new ReplayCommand(),
                new WhyCommand(),
                new ObserveCommand(),
                new SimulateCommand(),
                new DrainCommand(),
                new CapacityCommand(),
                new ConsolidateCommand(),
                new RebalanceCommand(),
                new DumpCommand(),
                new ConfigCommand());
    }
}
