package io.evenkeel.app.http.serve;

import io.evenkeel.app.option.ListFlag;
import io.evenkeel.app.option.NameList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * By which mechanisms keys are agreed on, by their numbers in TLS.
 *
 * @param spoken by the names of the JDK
 * @param leftOut named and known to kube-scheduler, but not spoken by the JDK yet: those with a part that withstands
 *     quantum computers
 */
record KeyExchanges(List<String> spoken, List<String> leftOut) implements ListFlag {
    private static final Map<String, String> OF_JDK =
            new TreeMap<>(Map.of("23", "secp256r1", "24", "secp384r1", "25", "secp521r1", "29", "x25519"));
    private static final List<String> HYBRID = List.of("4587", "4588", "4589");

    KeyExchanges {
        spoken = List.copyOf(spoken);
        leftOut = List.copyOf(leftOut);
    }

    @Override
    public String toString() {
        return spoken.toString();
    }

    /** Reads numbers with commas between; none means those that the JDK prefers. */
    static final class Converter implements ITypeConverter<KeyExchanges> {
        @Override
        public KeyExchanges convert(String value) {
            List<String> spoken = new ArrayList<>();
            List<String> leftOut = new ArrayList<>();
            for (String number : new NameList.Converter().convert(value).names()) {
                if (OF_JDK.containsKey(number)) {
                    spoken.add(Objects.requireNonNull(OF_JDK.get(number)));
                } else if (HYBRID.contains(number)) {
                    leftOut.add(number);
                } else {
                    throw refusal("curve preference " + number + " is not supported");
                }
            }
            if (spoken.isEmpty() && !leftOut.isEmpty()) {
                throw refusal("none of " + String.join(", ", leftOut) + " is spoken here yet");
            }
            return new KeyExchanges(spoken, leftOut);
        }

        private static TypeConversionException refusal(String what) {
            return new TypeConversionException(what + "; there are " + String.join(", ", OF_JDK.keySet()));
        }
    }
}
