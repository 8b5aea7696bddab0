package io.evenkeel.config.feature;

import io.evenkeel.config.feature.FeatureGate.Effect;
import io.evenkeel.problem.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks settings of gates. An error that kube-scheduler has too has kube-scheduler's text. */
final class FeatureGatesCheck {
    private final FeatureGates gates;
    private final List<String> errors = new ArrayList<>();

    FeatureGatesCheck(FeatureGates gates) {
        this.gates = gates;
    }

    List<String> errors() {
        gates.set().forEach(this::checkSetting);
        if (errors.isEmpty()) {
            KnownGates.all().forEach(this::checkRequired);
        }
        if (errors.isEmpty()) {
            checkEffects();
        }
        return List.copyOf(errors);
    }

    private void checkSetting(String name, boolean value) {
        Optional<FeatureGate> gate = KnownGates.find(name);
        if (gate.isEmpty()) {
            errors.add("unrecognized feature gate: " + name + NearestName.hint(name, KnownGates.names()));
        } else if (gate.get().locked() && gate.get().onByDefault() != value) {
            errors.add("cannot set feature gate " + name + " to " + value + ", feature is locked to " + !value);
        }
    }

    private void checkRequired(FeatureGate gate) {
        List<String> off = gate.requires().stream()
                .filter(name -> !gates.isOn(KnownGates.find(name).orElseThrow()))
                .sorted()
                .toList();
        if (gates.isOn(gate) && !off.isEmpty()) {
            errors.add(gate.name() + " is enabled, but depends on features that are disabled: " + off);
        }
    }

    private void checkEffects() {
        List<FeatureGate> unsupported = KnownGates.all().stream()
                .filter(gate -> gate.effect() == Effect.DEFAULT_ONLY && gates.isOn(gate) != gate.onByDefault())
                .toList();
        for (FeatureGate gate : unsupported) {
            if (gates.set().containsKey(gate.name())) {
                errors.add(gate.name() + "=" + gates.isOn(gate) + " is not supported: " + gate.why());
            }
        }
        if (errors.isEmpty() && !unsupported.isEmpty()) {
            errors.add(settings(wholeStages()) + " stands for gates that are not supported; add "
                    + settings(withThoseThatRequire(unsupported)));
        }
    }

    private Map<String, Boolean> wholeStages() {
        Map<String, Boolean> stages = new TreeMap<>(gates.set());
        stages.keySet().retainAll(Set.of(KnownGates.ALL_ALPHA, KnownGates.ALL_BETA));
        return stages;
    }

    /** Settings under which all of these have their default and no gate that is on requires one that is off. */
    private Map<String, Boolean> withThoseThatRequire(List<FeatureGate> unsupported) {
        Map<String, Boolean> remedy = new TreeMap<>();
        unsupported.forEach(gate -> remedy.put(gate.name(), gate.onByDefault()));
        boolean grown = true;
        while (grown) {
            grown = false;
            for (FeatureGate gate : KnownGates.all()) {
                boolean misses = gate.requires().stream().anyMatch(name -> !remedy.getOrDefault(name, true));
                grown |= gates.isOn(gate) && misses && remedy.putIfAbsent(gate.name(), false) == null;
            }
        }
        return remedy;
    }

    private static String settings(Map<String, Boolean> settings) {
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .collect(Collectors.joining(","));
    }
}
