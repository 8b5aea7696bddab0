package io.evenkeel.app.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Layout;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * A command's options under headings: that of the mixin that an option comes from, which is its {@code optionListHeading},
 * else that of the mixin or command around it. A command without any has a plain list.
 */
final class OptionGroups {
    static final String NO_HEADING = "";
    private static final String HELP = "Help";

    private final Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();

    private OptionGroups(CommandSpec command) {
        Map<String, String> headings = new LinkedHashMap<>();
        collect(command, NO_HEADING, headings);
        headings.values().forEach(heading -> groups.putIfAbsent(heading, new ArrayList<>()));
        boolean plain = groups.size() == 1;
        command.options().stream()
                .filter(option -> !option.hidden())
                .sorted(Comparator.comparing(OptionSpec::longestName))
                .forEach(option -> groups.computeIfAbsent(
                                isHelp(option) && !plain
                                        ? HELP
                                        : headings.getOrDefault(option.longestName(), NO_HEADING),
                                _ -> new ArrayList<>())
                        .add(option));
        groups.values().removeIf(List::isEmpty);
    }

    /** The visible options by heading: headings as they are declared, options by name. */
    static Map<String, List<OptionSpec>> of(CommandSpec command) {
        return new OptionGroups(command).groups;
    }

    /** Lists options by groups in the help of a command and of its subcommands. */
    public static void list(CommandLine command) {
        Map<String, IHelpSectionRenderer> sections = new LinkedHashMap<>(command.getHelpSectionMap());
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING, _ -> "");
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, OptionGroups::render);
        command.setHelpSectionMap(sections);
    }

    private static void collect(CommandSpec spec, String around, Map<String, String> headings) {
        String own = spec.usageMessage().optionListHeading();
        String heading = own.isEmpty() ? around : own;
        spec.options().forEach(option -> headings.put(option.longestName(), heading));
        spec.mixins().values().forEach(mixin -> collect(mixin, heading, headings));
    }

    private static boolean isHelp(OptionSpec option) {
        return option.usageHelp() || option.versionHelp();
    }

    private static String render(Help help) {
        return of(help.commandSpec()).entrySet().stream()
                .map(group -> heading(group.getKey()) + list(help, group.getValue()))
                .collect(Collectors.joining());
    }

    private static String heading(String heading) {
        return heading.isEmpty() ? "" : "%n%s:%n".formatted(heading);
    }

    private static String list(Help help, List<OptionSpec> options) {
        Layout layout = help.createDefaultLayout();
        layout.addOptions(options, help.parameterLabelRenderer());
        return layout.toString();
    }
}
