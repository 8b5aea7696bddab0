package io.evenkeel.app.http.serve;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLParameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The options about TLS on the HTTPS port, by the names that kube-scheduler gave them. */
final class TlsOptions {
    private static final Logger log = LoggerFactory.getLogger(TlsOptions.class);

    @Option(
            names = "--tls-min-version",
            paramLabel = "VERSION",
            converter = TlsVersion.Converter.class,
            completionCandidates = TlsVersion.Names.class,
            description = "VersionTLS12 or VersionTLS13 (default: VersionTLS12)")
    private TlsVersion leastVersion = TlsVersion.TLS_1_2;

    @Option(
            names = "--tls-cipher-suites",
            paramLabel = "NAMES",
            converter = CipherSuites.class,
            description = "Cipher suites of TLS 1.2, with commas between (default: those that the JDK"
                    + " prefers, without CBC)")
    private TlsAlgorithms suites = TlsAlgorithms.PREFERRED;

    @Option(
            names = "--tls-curve-preferences",
            paramLabel = "NUMBERS",
            converter = KeyExchanges.class,
            description = "Key exchanges by their number in TLS, 23, 24, 25 and 29, with commas between (default: those"
                    + " that the JDK prefers)")
    private TlsAlgorithms keyExchanges = TlsAlgorithms.PREFERRED;

    TlsOptions() {}

    /** This version or a newer one, and else as the JDK prefers. */
    static TlsOptions from(TlsVersion leastVersion) {
        TlsOptions options = new TlsOptions();
        options.leastVersion = leastVersion;
        return options;
    }

    /** Logs what a flag names and the JDK does not speak. */
    void warnOfLeftOut() {
        warnOfLeftOut("--tls-cipher-suites", suites.leftOut());
        warnOfLeftOut("--tls-curve-preferences", keyExchanges.leftOut());
    }

    private static void warnOfLeftOut(String flag, List<String> leftOut) {
        if (!leftOut.isEmpty()) {
            log.atWarn()
                    .setMessage("Ignoring TLS algorithms that the JDK does not support")
                    .addKeyValue("flag", flag)
                    .addKeyValue("leftOut", leftOut)
                    .log();
        }
    }

    void applyTo(SSLParameters connection) {
        connection.setProtocols(leastVersion.protocols());
        connection.setCipherSuites(suitesAmong(connection.getCipherSuites()));
        if (!keyExchanges.spoken().isEmpty()) {
            connection.setNamedGroups(keyExchanges.spoken().toArray(String[]::new));
        }
    }

    /** Takes the flag's suites, else the JDK's that encrypt and authenticate at once: CBC leaks by padding and time. */
    private String[] suitesAmong(String[] preferred) {
        return suites.spoken().isEmpty()
                ? Arrays.stream(preferred)
                        .filter(suite -> !suite.contains("_CBC_"))
                        .toArray(String[]::new)
                : suites.spoken().toArray(String[]::new);
    }

    /** Reads key exchanges by their numbers in TLS, as Go does. */
    private static final class KeyExchanges implements ITypeConverter<TlsAlgorithms> {
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
}
