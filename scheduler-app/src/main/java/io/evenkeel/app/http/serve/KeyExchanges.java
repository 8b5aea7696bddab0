package io.evenkeel.app.http.serve;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.ITypeConverter;

/** Reads key exchanges by their numbers in TLS, as Go does. */
final class KeyExchanges implements ITypeConverter<TlsAlgorithms> {
    /** The last three have a part that withstands quantum computers. */
    private static final Map<String, Optional<String>> KNOWN = new TreeMap<>(Map.of(
            "23", Optional.of("secp256r1"),
            "24", Optional.of("secp384r1"),
            "25", Optional.of("secp521r1"),
            "29", Optional.of("x25519"),
            "4587", Optional.empty(),
            "4588", Optional.empty(),
            "4589", Optional.empty()));

    @Override
    public TlsAlgorithms convert(String value) {
        return TlsAlgorithms.read(value, KNOWN, number -> "curve preference " + number + " is not supported");
    }
}
