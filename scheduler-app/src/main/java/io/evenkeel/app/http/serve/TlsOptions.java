package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.EndpointServer.TlsLayer;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients;
import io.evenkeel.app.option.Converters.NameList;
import io.evenkeel.app.option.GoFlags.ListFlag;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

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

    /**
     * Reads cipher suites by the names that Go gives them. The JDK leaves out suites that it holds to be broken. The suites of
     * TLS 1.3 are spoken whether or not the flag names them, as with Go.
     */
    private static final class CipherSuites implements ITypeConverter<TlsAlgorithms> {
        private static final List<String> TLS_1_3 =
                List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

        /** The suites of TLS 1.2 that Go knows, sound ones and insecure ones. */
        private static final List<String> TLS_1_2 = List.of("""
                TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256\
                 TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384\
                 TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305 TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256\
                 TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256\
                 TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384\
                 TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305 TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256\
                 TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256 TLS_ECDHE_ECDSA_WITH_RC4_128_SHA\
                 TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256\
                 TLS_ECDHE_RSA_WITH_RC4_128_SHA TLS_RSA_WITH_3DES_EDE_CBC_SHA TLS_RSA_WITH_AES_128_CBC_SHA\
                 TLS_RSA_WITH_AES_128_CBC_SHA256 TLS_RSA_WITH_AES_128_GCM_SHA256 TLS_RSA_WITH_AES_256_CBC_SHA\
                 TLS_RSA_WITH_AES_256_GCM_SHA384 TLS_RSA_WITH_RC4_128_SHA""".split(" ", -1));

        @Override
        public TlsAlgorithms convert(String value) {
            TlsAlgorithms named = TlsAlgorithms.read(
                    value.isEmpty() ? value : String.join(",", TLS_1_3) + "," + value,
                    known(),
                    name -> "Cipher suite " + name + " not supported or doesn't exist");
            return new TlsAlgorithms(named.spoken().stream().distinct().toList(), named.leftOut());
        }

        /** Found out only where the flag is given: asking the JDK takes longer than all else that a command's help needs. */
        private static Map<String, Optional<String>> known() {
            Set<String> spoken = spokenByJdk();
            Map<String, Optional<String>> known = new LinkedHashMap<>();
            Stream.concat(TLS_1_3.stream(), TLS_1_2.stream())
                    .forEach(
                            name -> known.put(name, Optional.of(nameInJdk(name)).filter(spoken::contains)));
            return known;
        }

        private static String nameInJdk(String name) {
            return name.endsWith("_CHACHA20_POLY1305") ? name + "_SHA256" : name;
        }

        private static Set<String> spokenByJdk() {
            try {
                return Set.of(
                        SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("this JDK speaks no TLS", e);
            }
        }
    }

    /** The oldest version of TLS that clients may speak; older ones than 1.2 are not spoken at all. */
    enum TlsVersion {
        TLS_1_2("VersionTLS12"),
        TLS_1_3("VersionTLS13");

        private final String flag;

        TlsVersion(String flag) {
            this.flag = flag;
        }

        @Override
        public String toString() {
            return flag;
        }

        String[] protocols() {
            return this == TLS_1_3 ? new String[] {"TLSv1.3"} : new String[] {"TLSv1.2", "TLSv1.3"};
        }

        /** Reads the names that Kubernetes gives the versions. */
        static final class Converter implements ITypeConverter<TlsVersion> {
            @Override
            public TlsVersion convert(String value) {
                return Arrays.stream(values())
                        .filter(version -> version.flag.equals(value))
                        .findFirst()
                        .orElseThrow(() -> new TypeConversionException(
                                "there are " + String.join(", ", new Names()) + ", got \"" + value + "\""));
            }
        }

        static final class Names implements Iterable<String> {
            @Override
            public Iterator<String> iterator() {
                return Arrays.stream(values()).map(version -> version.flag).iterator();
            }
        }
    }

    /** @param spoken by the names of the JDK; empty means the JDK's choice */
    private record TlsAlgorithms(List<String> spoken, List<String> leftOut) implements ListFlag {
        static final TlsAlgorithms PREFERRED = new TlsAlgorithms(List.of(), List.of());

        TlsAlgorithms {
            spoken = List.copyOf(spoken);
            leftOut = List.copyOf(leftOut);
        }

        /** @param known the JDK's name of each algorithm that kube-scheduler knows; empty where the JDK does not speak it */
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

    /**
     * TLS of the HTTPS port. While any client CA is trusted, clients are asked for a certificate; none has to
     * show any, as they may be known by a token or read what is for everybody.
     */
    record ServerTls(SSLContext context, TlsOptions options, Supplier<TrustedClients> trust) implements TlsLayer {
        static ServerTls of(KeyManager[] keys, TlsOptions options, Supplier<TrustedClients> trust) {
            try {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(keys, new TrustManager[] {new AcceptAnyClientCertificate(trust)}, null);
                return new ServerTls(context, options, trust);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("cannot set up TLS", e);
            }
        }

        @Override
        public SSLSocket over(Socket connection, InputStream read) throws IOException {
            SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(connection, read, true);
            SSLParameters ours = context.getDefaultSSLParameters();
            applyTo(ours);
            secure.setSSLParameters(ours);
            return secure;
        }

        void applyTo(SSLParameters connection) {
            options.applyTo(connection);
            connection.setWantClientAuth(!trust.get().isEmpty());
        }

        /**
         * A trust manager that lets every client shake hands, whatever certificate it shows, and tells it which authorities are
         * trusted. {@link AccessControl} checks the certificate for each request instead: so a client with one from elsewhere
         * gets an answer rather than a broken connection and may still show a token, and a connection that lasts loses its
         * rights when its certificate expires or its authority is removed. TLS still has the client prove that it holds the key
         * of the certificate.
         */
        private static final class AcceptAnyClientCertificate extends X509ExtendedTrustManager {
            private final Supplier<TrustedClients> trust;

            AcceptAnyClientCertificate(Supplier<TrustedClients> trust) {
                this.trust = trust;
            }

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return trust.get().issuers().toArray(X509Certificate[]::new);
            }

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String authType) {}

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
                throw serverOnly();
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                    throws CertificateException {
                throw serverOnly();
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                    throws CertificateException {
                throw serverOnly();
            }

            private static CertificateException serverOnly() {
                return new CertificateException("for a server's side of a connection only");
            }
        }
    }
}
