package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Evenkeel.OptionGroups;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class OptionGroupsTest {
    @Test
    void everyOptionOfRunStandsUnderAHeading() {
        Map<String, List<OptionSpec>> groups = OptionGroups.of(
                Evenkeel.commandLine().getSubcommands().get("run").getCommandSpec());

        assertThat(groups)
                .doesNotContainKey(OptionGroups.NO_HEADING)
                .containsKeys("Scheduling", "Cluster", "Leader election", "Serving", "Access", "Logging", "Help");
        assertThat(groups.values())
                .as("a heading for an option or two helps nobody")
                .hasSizeLessThan(12);
    }

    @Test
    void theHelpOfRunHasEachOptionOnceBelowItsHeading() {
        Map<String, String> headings = new TreeMap<>();
        String heading = "";
        for (String line : Typed.evenkeel("run", "--help").out().lines().toList()) {
            if (line.matches("[A-Z][a-z ]+:")) {
                heading = line;
            } else if (line.matches(" {2,6}(-\\w, +)?--.*")) {
                String option = line.replaceFirst("^.*?--", "--").split("[=\\[ ]", 2)[0];
                assertThat(headings.put(option, heading)).as(option).isNull();
            }
        }

        assertThat(headings)
                .containsEntry("--config", "Scheduling:")
                .containsEntry("--kubeconfig", "Cluster:")
                .containsEntry("--leader-elect", "Leader election:")
                .containsEntry("--secure-port", "Serving:")
                .containsEntry("--tls-cert-file", "Serving:")
                .containsEntry("--client-ca-file", "Access:")
                .containsEntry("--requestheader-allowed-names", "Access:")
                .containsEntry("--v", "Logging:")
                .containsEntry("--help", "Help:")
                .doesNotContainValue("");
    }

    @Test
    void anOptionIsUnderTheHeadingOfItsMixinElseOfWhatIsAround() {
        CommandSpec inner = headed("", "--inner");
        CommandSpec outer = headed("Outer", "--outer").addMixin("inner", inner);
        CommandSpec command = headed("Own", "--z-own", "--a-own")
                .addOption(OptionSpec.builder("--hidden").hidden(true).build())
                .addMixin("outer", outer)
                .mixinStandardHelpOptions(true);

        Map<String, List<OptionSpec>> groups = OptionGroups.of(command);

        assertThat(groups.keySet()).containsExactly("Own", "Outer", "Help");
        assertThat(names(groups.get("Own"))).containsExactly("--a-own", "--z-own");
        assertThat(names(groups.get("Outer"))).containsExactly("--inner", "--outer");
        assertThat(names(groups.get("Help"))).containsExactly("--help", "--version");
    }

    @Test
    void aCommandWithoutHeadingsHasOneList() {
        CommandSpec command = headed("", "--plain").mixinStandardHelpOptions(true);

        assertThat(OptionGroups.of(command).keySet()).containsExactly(OptionGroups.NO_HEADING);
    }

    private static CommandSpec headed(String heading, String... options) {
        CommandSpec command = CommandSpec.create();
        command.usageMessage().optionListHeading(heading);
        for (String option : options) {
            command.addOption(OptionSpec.builder(option).build());
        }
        return command;
    }

    private static List<String> names(List<OptionSpec> options) {
        return options.stream().map(OptionSpec::longestName).toList();
    }
}
