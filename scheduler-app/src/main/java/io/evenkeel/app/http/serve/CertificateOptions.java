package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.serve.CertificateOptions.ServerKeys;
import io.evenkeel.file.ReloadedFiles;
import io.evenkeel.tls.PemIdentity;
import io.evenkeel.tls.SelfSignedCertificate;
import io.evenkeel.tls.SubjectName;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options about the certificates of the HTTPS port, by the names that kube-scheduler gave them. */
final class CertificateOptions {
    private static final Logger log = LoggerFactory.getLogger(CertificateOptions.class);
    private static final Duration SELF_SIGNED_LIFETIME = Duration.ofDays(365);
    private static final String CERTIFICATE_IN_DIRECTORY = "kube-scheduler.crt";
    private static final String KEY_IN_DIRECTORY = "kube-scheduler.key";
    private static final String SNI = "--tls-sni-cert-key";
    private static final String IN_DIRECTORY = CERTIFICATE_IN_DIRECTORY + " and " + KEY_IN_DIRECTORY;

    @Option(
            names = "--tls-cert-file",
            paramLabel = "FILE",
            description = "Certificate for HTTPS in PEM, its issuers after it; reloaded when it changes. Without it a"
                    + " self-signed certificate is made.")
    private Optional<Path> certificateFile = Optional.empty();

    @Option(
            names = "--tls-private-key-file",
            paramLabel = "FILE",
            description = "Key of --tls-cert-file in PEM: RSA, EC or Ed25519")
    private Optional<Path> keyFile = Optional.empty();

    @Option(
            names = "--cert-dir",
            paramLabel = "DIR",
            description = "Directory to read kube-scheduler.crt and kube-scheduler.key from, where they are"
                    + " there and --tls-cert-file is not given; nothing is written to it")
    private Optional<Path> certificateDirectory = Optional.empty();

    @Option(
            names = SNI,
            paramLabel = "CERT,KEY[:DOMAIN,...]",
            converter = NamedCertificate.Converter.class,
            description = "A certificate and its key in PEM for clients that ask for one of the domains, such as"
                    + " example.com or *.example.com (default: those that the certificate names); reloaded when they"
                    + " change. May be given several times.")
    private List<NamedCertificate> byName = new ArrayList<>();

    /** @throws ServingException if the files are of no use */
    KeyManager[] keyManagers() {
        KeyManager[] usual = usualKeys();
        if (byName.isEmpty()) {
            return usual;
        }
        List<KeysByName.Named> named = new ArrayList<>();
        for (NamedCertificate some : byName) {
            try {
                ReloadingKeys keys = new ReloadingKeys(some.certificate(), some.key(), InstantSource.system());
                named.add(new KeysByName.Named(keys, some.domains()));
            } catch (IOException e) {
                throw new ServingException(SNI, e);
            }
        }
        return new KeyManager[] {new KeysByName(named, (X509ExtendedKeyManager) usual[0])};
    }

    private KeyManager[] usualKeys() {
        if (certificateFile.isPresent() != keyFile.isPresent()) {
            throw new ServingException(
                    certificateFile.isPresent() ? "--tls-cert-file" : "--tls-private-key-file",
                    "needs the other of --tls-cert-file and --tls-private-key-file");
        }
        Optional<Path> certificate = certificateFile.or(() -> inDirectory(CERTIFICATE_IN_DIRECTORY));
        Optional<Path> key = keyFile.or(() -> inDirectory(KEY_IN_DIRECTORY));
        if (certificate.isPresent() && key.isPresent()) {
            try {
                return new KeyManager[] {new ReloadingKeys(certificate.get(), key.get(), InstantSource.system())};
            } catch (IOException e) {
                throw new ServingException(certificateFile.isPresent() ? "--tls-cert-file" : "--cert-dir", e);
            }
        }
        certificate.or(() -> key).ifPresent(alone -> {
            throw new ServingException("--cert-dir", alone + " found without the other of " + IN_DIRECTORY);
        });
        certificateDirectory.ifPresent(directory -> log.atWarn()
                .setMessage("No certificate in --cert-dir, serving a self-signed one")
                .addKeyValue("directory", directory)
                .log());
        return SelfSignedCertificate.forHosts(List.of("localhost", "127.0.0.1", "::1"), SELF_SIGNED_LIFETIME)
                .keyManagers();
    }

    private Optional<Path> inDirectory(String name) {
        return certificateDirectory.map(directory -> directory.resolve(name)).filter(Files::exists);
    }

    /** @param domains such as {@code example.com} or {@code *.example.com}, in lower case; empty for the certificate's own */
    private record NamedCertificate(Path certificate, Path key, List<String> domains) {
        private static final Pattern DOMAIN =
                Pattern.compile("(\\*\\.)*[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
        private static final Pattern ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}|.*:.*");

        NamedCertificate {
            domains = List.copyOf(domains);
        }

        @Override
        public String toString() {
            return certificate + "," + key + (domains.isEmpty() ? "" : ":" + String.join(",", domains));
        }

        /** Reads {@code cert,key} or {@code cert,key:domain,*.domain}. */
        static final class Converter implements ITypeConverter<NamedCertificate> {
            @Override
            public NamedCertificate convert(String value) {
                int colon = value.indexOf(':');
                String[] files = (colon < 0 ? value : value.substring(0, colon)).split(",", -1);
                if (files.length != 2 || files[0].isBlank() || files[1].isBlank()) {
                    throw new TypeConversionException(
                            "expected comma separated certificate and key file paths, got \"" + value + "\"");
                }
                List<String> domains = new ArrayList<>();
                if (colon >= 0) {
                    for (String domain : value.substring(colon + 1).split(",", -1)) {
                        domains.add(checked(domain.strip().toLowerCase(Locale.ROOT)));
                    }
                }
                return new NamedCertificate(Path.of(files[0].strip()), Path.of(files[1].strip()), domains);
            }

            private static String checked(String domain) {
                if (ADDRESS.matcher(domain).matches()) {
                    throw new TypeConversionException(
                            "\"" + domain + "\" is an address, for which clients ask by no name:"
                                    + " they get the certificate of --tls-cert-file");
                }
                if (!DOMAIN.matcher(domain).matches()) {
                    throw new TypeConversionException(
                            "expected a domain such as example.com or *.example.com, got \"" + domain + "\"");
                }
                return domain;
            }
        }
    }

    /**
     * Shows each client the certificate for the name that it asks for: one of the name itself goes before one of a pattern,
     * names that were given before names that a certificate has, and who asks for another name or for none gets the usual
     * one. An alias is the index of the keys, a colon, and what they call it.
     */
    static final class KeysByName extends ServerKeys {
        private static final int DNS_NAME = 2;

        private final List<Named> named;
        private final X509ExtendedKeyManager usual;

        /** Keys and the names that were given for them, if any were. */
        record Named(ReloadingKeys keys, List<String> domains) {}

        KeysByName(List<Named> named, X509ExtendedKeyManager usual) {
            this.named = List.copyOf(named);
            this.usual = usual;
        }

        @Override
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return alias(keyType, issuers, socket instanceof SSLSocket secure ? secure.getHandshakeSession() : null);
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return alias(keyType, issuers, engine == null ? null : engine.getHandshakeSession());
        }

        private @Nullable String alias(String keyType, Principal @Nullable [] issuers, @Nullable SSLSession handshake) {
            int keys = handshake instanceof ExtendedSSLSession session
                    ? requested(session).map(this::keysFor).orElse(named.size())
                    : named.size();
            String alias = manager(keys).chooseServerAlias(keyType, issuers, null);
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
                                                : namesOf(named.get(i).keys().certificate()))
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
        private static List<String> namesOf(X509Certificate certificate) {
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

    /** Keys of a server, which is never the client of a connection. */
    abstract static class ServerKeys extends X509ExtendedKeyManager {

        @Override
        public final String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
            String alias = chooseServerAlias(keyType, issuers, null);
            return alias == null ? null : new String[] {alias};
        }

        @Override
        public final String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public final @Nullable String chooseClientAlias(
                String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }
    }

    /**
     * A certificate and its key from PEM files, which are checked for changes when a client connects. A handshake goes on
     * by the reading that it began with, even if the next one comes meanwhile.
     */
    static final class ReloadingKeys extends ServerKeys implements ReloadedFiles.Listener<ReloadingKeys.Reading> {
        private static final Logger log = LoggerFactory.getLogger(ReloadingKeys.class);

        /** One reading of the files. Its alias is what a handshake knows it by. */
        record Reading(String alias, PemIdentity identity) {}

        private final Path certificateFile;
        private final ReloadedFiles<Reading> files;
        private volatile Reading previous;
        private int readings;

        /** @throws IOException if the files cannot be read or do not fit together */
        ReloadingKeys(Path certificateFile, Path keyFile, InstantSource clock) throws IOException {
            this.certificateFile = certificateFile;
            this.files = ReloadedFiles.read(
                    List.of(certificateFile, keyFile),
                    certificateFile + " with the key " + keyFile,
                    this::parse,
                    clock);
            this.previous = files.latest();
        }

        private Reading parse(List<byte[]> contents) throws GeneralSecurityException {
            PemIdentity identity = PemIdentity.parse(contents.getFirst(), contents.getLast());
            return new Reading("reading-" + ++readings, identity);
        }

        @Override
        public void reloaded(Reading before, Reading now) {
            previous = before;
            log.atInfo()
                    .setMessage("Serving certificate reloaded")
                    .addKeyValue("file", certificateFile)
                    .addKeyValue(
                            "expires", now.identity.chain()[0].getNotAfter().toInstant())
                    .log();
        }

        @Override
        public void notReloaded(Level level, IOException why) {
            log.atLevel(level)
                    .setMessage("Serving certificate not reloaded, keeping the last one")
                    .addKeyValue("why", why.getMessage())
                    .log();
        }

        /** The certificate that the next client is shown, without its issuers. */
        X509Certificate certificate() {
            return files.latest().identity.chain()[0];
        }

        private PemIdentity identity(String alias) {
            // The latest first: a reading becomes the previous one before another takes its place, so none is missed.
            Reading latest = files.latest();
            Reading former = previous;
            return alias.equals(former.alias) ? former.identity : latest.identity;
        }

        private @Nullable String alias(String keyType) {
            Reading latest = files.look(this);
            String algorithm = latest.identity.key().getAlgorithm();
            boolean fits = keyType.equals(algorithm)
                    || (keyType.startsWith("EC") && algorithm.startsWith("EC"))
                    || (keyType.startsWith("RSA") && algorithm.startsWith("RSA"));
            return fits ? latest.alias : null;
        }

        @Override
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return alias(keyType);
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return alias(keyType);
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return identity(alias).chain().clone();
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return identity(alias).key();
        }
    }
}
