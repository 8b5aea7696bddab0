package io.evenkeel.app.http.serve;

import io.evenkeel.app.option.ListFlag;
import io.evenkeel.app.option.NameList;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Which cipher suites clients may have, by the names that Go gives them.
 *
 * @param spoken by the names of the JDK; those of TLS 1.3 are among them whether or not they are named, as with Go
 * @param leftOut named and known to kube-scheduler, but not spoken by the JDK, which holds them to be broken
 */
record CipherSuites(List<String> spoken, List<String> leftOut) implements ListFlag {
    private static final String TLS_1_3 =
            "TLS_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384, TLS_CHACHA20_POLY1305_SHA256";

    /** Those of TLS 1.2 that Go knows, sound ones and insecure ones. */
    private static final String TLS_1_2 = """
            TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,\
             TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,\
             TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305, TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,\
             TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,\
             TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA, TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,\
             TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305, TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,\
             TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256, TLS_ECDHE_ECDSA_WITH_RC4_128_SHA,\
             TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA, TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256,\
             TLS_ECDHE_RSA_WITH_RC4_128_SHA, TLS_RSA_WITH_3DES_EDE_CBC_SHA, TLS_RSA_WITH_AES_128_CBC_SHA,\
             TLS_RSA_WITH_AES_128_CBC_SHA256, TLS_RSA_WITH_AES_128_GCM_SHA256, TLS_RSA_WITH_AES_256_CBC_SHA,\
             TLS_RSA_WITH_AES_256_GCM_SHA384, TLS_RSA_WITH_RC4_128_SHA""";

    private static final Set<String> ALWAYS = names(TLS_1_3);
    private static final Set<String> KNOWN = names(TLS_1_3 + ", " + TLS_1_2);
    private static final Set<String> OF_JDK = ofJdk();

    CipherSuites {
        spoken = List.copyOf(spoken);
        leftOut = List.copyOf(leftOut);
    }

    @Override
    public String toString() {
        return spoken.toString();
    }

    /** Reads names with commas between; none means those that the JDK prefers. */
    static final class Converter implements ITypeConverter<CipherSuites> {
        @Override
        public CipherSuites convert(String value) {
            Set<String> spoken = new LinkedHashSet<>(ALWAYS);
            List<String> leftOut = new ArrayList<>();
            List<String> names = new NameList.Converter().convert(value).names();
            for (String name : names) {
                if (!KNOWN.contains(name)) {
                    throw new TypeConversionException("Cipher suite " + name
                            + " not supported or doesn't exist; there are " + String.join(", ", KNOWN));
                }
                String ofJdk = name.endsWith("_CHACHA20_POLY1305") ? name + "_SHA256" : name;
                if (OF_JDK.contains(ofJdk)) {
                    spoken.add(ofJdk);
                } else {
                    leftOut.add(name);
                }
            }
            return names.isEmpty()
                    ? new CipherSuites(List.of(), List.of())
                    : new CipherSuites(List.copyOf(spoken), leftOut);
        }
    }

    private static Set<String> names(String list) {
        return new LinkedHashSet<>(List.of(list.split(", ", -1)));
    }

    private static Set<String> ofJdk() {
        try {
            return Set.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK speaks no TLS", e);
        }
    }
}
