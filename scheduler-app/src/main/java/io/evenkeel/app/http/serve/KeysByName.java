package io.evenkeel.app.http.serve;

import io.evenkeel.tls.SubjectName;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows each client the certificate for the name that it asks for: one of the name itself goes before one of a pattern,
 * names that were given before names that a certificate has, and who asks for another name or for none gets the usual
 * one. An alias is the index of the keys, a colon, and what they call it.
 */
final class KeysByName extends ServerKeys {
    private final List<Named> named;
    private final X509ExtendedKeyManager usual;

    /** Keys and the names that were given for them, if any were. */
    record Named(ReloadingKeys keys, List<String> domains) {}

    KeysByName(List<Named> named, X509ExtendedKeyManager usual) {
        this.named = List.copyOf(named);
        this.usual = usual;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        int keys =
                socket instanceof SSLSocket secure && secure.getHandshakeSession() instanceof ExtendedSSLSession session
                        ? requested(session).map(this::keysFor).orElse(named.size())
                        : named.size();
        String alias = manager(keys).chooseServerAlias(keyType, issuers, socket);
        return alias == null ? null : keys + ":" + alias;
    }

    private static Optional<String> requested(ExtendedSSLSession session) {
        for (SNIServerName name : session.getRequestedServerNames()) {
            if (name.getType() == StandardConstants.SNI_HOST_NAME) {
                return Optional.of(
                        new SNIHostName(name.getEncoded()).getAsciiName().toLowerCase(Locale.ROOT));
            }
        }
        return Optional.empty();
    }

    /** The index of the keys for a name; that behind the last for the usual ones. */
    private int keysFor(String name) {
        for (String pattern : patterns(name)) {
            for (boolean given : new boolean[] {true, false}) {
                for (int i = 0; i < named.size(); i++) {
                    List<String> domains = named.get(i).domains();
                    if (given != domains.isEmpty()
                            && (given
                                            ? domains
                                            : CertificateNames.of(
                                                    named.get(i).keys().certificate()))
                                    .contains(pattern)) {
                        return i;
                    }
                }
            }
        }
        return named.size();
    }

    /** {@code a.b.c}, {@code *.b.c}, {@code *.*.c} and so on. */
    private static List<String> patterns(String name) {
        List<String> patterns = new ArrayList<>(List.of(name));
        String[] labels = name.split("\\.", -1);
        for (int i = 0; i < labels.length; i++) {
            labels[i] = "*";
            patterns.add(String.join(".", labels));
        }
        return patterns;
    }

    private X509ExtendedKeyManager manager(int keys) {
        return keys < named.size() ? named.get(keys).keys() : usual;
    }

    private X509ExtendedKeyManager managerOf(String alias) {
        return manager(Integer.parseInt(alias.substring(0, alias.indexOf(':'))));
    }

    private static String theirs(String alias) {
        return alias.substring(alias.indexOf(':') + 1);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return managerOf(alias).getCertificateChain(theirs(alias));
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return managerOf(alias).getPrivateKey(theirs(alias));
    }

    /** For which names a certificate is: its CommonName and its DNS names, in lower case. */
    private static final class CertificateNames {
        private static final int DNS_NAME = 2;

        private CertificateNames() {}

        static List<String> of(X509Certificate certificate) {
            List<String> names = new ArrayList<>();
            String common = SubjectName.of(certificate).commonName();
            if (!common.isEmpty()) {
                names.add(common.toLowerCase(Locale.ROOT));
            }
            try {
                Collection<List<?>> others = certificate.getSubjectAlternativeNames();
                for (List<?> other : others == null ? List.<List<?>>of() : others) {
                    if (other.getFirst().equals(DNS_NAME)) {
                        names.add(String.valueOf(other.getLast()).toLowerCase(Locale.ROOT));
                    }
                }
            } catch (CertificateParsingException unreadable) {
                return names;
            }
            return names;
        }
    }
}
