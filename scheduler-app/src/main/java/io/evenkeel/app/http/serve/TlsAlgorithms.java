package io.evenkeel.app.http.serve;

import io.evenkeel.app.option.ListFlag;
import io.evenkeel.app.option.NameList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/**
 * TLS algorithms of one sort, cipher suites or key exchanges, that a flag allows.
 *
 * @param spoken by the names of the JDK; empty means the JDK's choice
 * @param leftOut named by the flag and known to kube-scheduler, but not spoken by the JDK
 */
record TlsAlgorithms(List<String> spoken, List<String> leftOut) implements ListFlag {
    static final TlsAlgorithms PREFERRED = new TlsAlgorithms(List.of(), List.of());

    TlsAlgorithms {
        spoken = List.copyOf(spoken);
        leftOut = List.copyOf(leftOut);
    }

    /**
     * Reads names with commas between.
     *
     * @param known the JDK's name of each algorithm that kube-scheduler knows; empty where the JDK does not speak it
     * @param unknown how a name outside this table is refused
     */
    static TlsAlgorithms read(String flag, Map<String, Optional<String>> known, UnaryOperator<String> unknown) {
        List<String> spoken = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        for (String name : new NameList.Converter().convert(flag).names()) {
            if (!known.containsKey(name)) {
                throw refusal(unknown.apply(name), known);
            }
            known.getOrDefault(name, Optional.empty()).ifPresentOrElse(spoken::add, () -> leftOut.add(name));
        }
        if (spoken.isEmpty() && !leftOut.isEmpty()) {
            throw refusal("the JDK speaks none of " + String.join(", ", leftOut), known);
        }
        return new TlsAlgorithms(spoken, leftOut);
    }

    private static TypeConversionException refusal(String problem, Map<String, Optional<String>> known) {
        return new TypeConversionException(known.entrySet().stream()
                .filter(algorithm -> algorithm.getValue().isPresent())
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", ", problem + "; expected some of ", "")));
    }

    @Override
    public String toString() {
        return spoken.toString();
    }
}
