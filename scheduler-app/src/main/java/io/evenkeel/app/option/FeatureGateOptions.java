package io.evenkeel.app.option;

import io.evenkeel.config.feature.FeatureGates;
import io.evenkeel.config.problem.ConfigurationException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that turns features on and off, by the reference's name. */
public final class FeatureGateOptions {
    public static final String FLAG = "--feature-gates";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = FLAG,
            paramLabel = "GATE=BOOL,...",
            converter = GateSettings.Converter.class,
            description = "Feature gates of kube-scheduler 1.36, on or off; docs/operations.md tells which have an"
                    + " effect. May be given several times.")
    private List<GateSettings> settings = new ArrayList<>();

    /**
     * The defaults of kube-scheduler 1.36 with the settings of the user over them.
     *
     * @throws ParameterException if there is no such gate, or it cannot be set so
     */
    public FeatureGates gates() {
        Map<String, Boolean> all = new LinkedHashMap<>();
        settings.forEach(some -> all.putAll(some.values()));
        try {
            return FeatureGates.with(all);
        } catch (ConfigurationException unusable) {
            throw new ParameterException(
                    spec.commandLine(), FLAG + ": " + unusable.errors().getFirst());
        }
    }
}
