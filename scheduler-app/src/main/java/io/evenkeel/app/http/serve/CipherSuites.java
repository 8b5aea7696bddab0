package io.evenkeel.app.http.serve;

import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.ITypeConverter;

/**
 * Reads cipher suites by the names that Go gives them. The JDK leaves out suites that it holds to be broken. The suites of
 * TLS 1.3 are spoken whether or not the flag names them, as with Go.
 */
final class CipherSuites implements ITypeConverter<TlsAlgorithms> {
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
                .forEach(name -> known.put(name, Optional.of(nameInJdk(name)).filter(spoken::contains)));
        return known;
    }

    private static String nameInJdk(String name) {
        return name.endsWith("_CHACHA20_POLY1305") ? name + "_SHA256" : name;
    }

    private static Set<String> spokenByJdk() {
        try {
            return Set.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK speaks no TLS", e);
        }
    }
}
