package io.evenkeel.app.cli.run;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Adds every {@link TakenFlag} to a command, and logs those that were given. */
final class TakenFlags implements IModelTransformer {
    private static final Logger log = LoggerFactory.getLogger(TakenFlags.class);

    @Override
    public CommandSpec transform(CommandSpec command) {
        CommandSpec taken = CommandSpec.create();
        taken.usageMessage().optionListHeading("Flags of kube-scheduler without effect");
        for (TakenFlag flag : TakenFlag.ALL) {
            taken.addOption(option(flag));
        }
        return command.addMixin("taken", taken);
    }

    private static OptionSpec option(TakenFlag flag) {
        OptionSpec.Builder option = OptionSpec.builder(flag.flag())
                .type(Object.class)
                .converters(flag.check())
                .paramLabel(flag.label())
                .description(flag.why());
        if (!flag.standard().isEmpty()) {
            option.defaultValue(flag.standard());
        }
        return flag.isBool()
                ? option.arity("0..1").fallbackValue("true").build()
                : option.arity("1").build();
    }

    /** The value of a boolean flag, given or by default. */
    static boolean isOn(CommandSpec command, String flag) {
        return Boolean.TRUE.equals(command.findOption(flag).getValue());
    }

    static void tell(ParseResult parsed) {
        for (TakenFlag flag : TakenFlag.ALL) {
            if (parsed.hasMatchedOption(flag.flag())) {
                log.atInfo()
                        .setMessage("Flag has no effect")
                        .addKeyValue("flag", flag.flag())
                        .addKeyValue("why", flag.why())
                        .log();
            }
        }
    }
}
