package io.evenkeel.app.http.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.http.Client;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.serve.CertificateOptions.ReloadingKeys;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients;
import io.evenkeel.app.http.serve.TlsOptions.ServerTls;
import io.evenkeel.app.http.serve.TlsOptions.TlsVersion;
import io.evenkeel.file.ReloadedFiles;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PemFilesTest {
    @TempDir
    private Path directory;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final InstantSource clock = now::get;

    @ParameterizedTest
    @CsvSource({"EC, true", "EC, false", "RSA, true", "RSA, false", "Ed25519, true"})
    void keysOfEveryKindAreRead(String algorithm, boolean pkcs8) throws Exception {
        Identity identity = identity(algorithm);
        write(identity, pkcs8);

        try (var server = serve(new ReloadingKeys(certificate(), key(), clock));
                var client = new Client(server, trust(identity))) {
            assertThat(client.get("/healthz").body()).isEqualTo("ok");
        }
    }

    @Test
    void filesThatChangeAreReadAnewForTheNextClientAfterAWhile() throws Exception {
        Identity before = identity("EC");
        Identity after = identity("RSA");
        write(before, true);
        try (var server = serve(new ReloadingKeys(certificate(), key(), clock))) {
            write(after, false);
            assertTrusts(server, before, true);

            now.set(Instant.EPOCH.plus(ReloadedFiles.LOOK_EVERY));

            assertTrusts(server, after, true);
            assertTrusts(server, before, false);
        }
    }

    @Test
    void filesThatAreHalfWrittenDoNotReplaceTheLastGoodOnes() throws Exception {
        Identity before = identity("EC");
        write(before, true);
        try (LogLines log = new LogLines(ReloadingKeys.class);
                var server = serve(new ReloadingKeys(certificate(), key(), clock))) {
            Files.writeString(certificate(), pem(identity("EC").certificate));
            for (int looks = 1; looks <= 3; looks++) {
                now.set(now.get().plus(ReloadedFiles.LOOK_EVERY));
                assertTrusts(server, before, true);
            }

            assertThat(log.lines())
                    .hasSize(3)
                    .allSatisfy(line -> assertThat(line)
                            .contains("Serving certificate not reloaded, keeping the last one" + " [why=\"cannot use "
                                    + certificate() + " with the key " + key()))
                    .filteredOn(line -> line.startsWith("WARN"))
                    .hasSize(1);
        }
    }

    @Test
    void aKeyOfAnotherCertificateIsRefusedAtTheStart() throws Exception {
        write(identity("EC"), true);
        Files.writeString(certificate(), pem(identity("EC").certificate));

        assertThatThrownBy(() -> new ReloadingKeys(certificate(), key(), clock))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the key is not that of the certificate of CN=evenkeel");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "garbage | CERTIFICATE | there is no certificate in PEM",
                "'' | CERTIFICATE | there is no certificate in PEM",
                "-----BEGIN CERTIFICATE-----#bm8=#-----END CERTIFICATE-----# | CERTIFICATE | there is a damaged"
                        + " certificate",
                "garbage | KEY | there is no private key in PEM that is not encrypted",
                "-----BEGIN PRIVATE KEY-----#bm8=#-----END PRIVATE KEY-----# | KEY | the private key is damaged",
                "-----BEGIN EC PRIVATE KEY-----#b!?8=#-----END EC PRIVATE KEY-----# | KEY | the private key is damaged",
            })
    void whatIsNoPemIsSaidInWordsOfTheUser(String content, String file, String message) throws Exception {
        write(identity("EC"), true);
        Files.writeString(file.equals("KEY") ? key() : certificate(), content.replace('#', '\n'));

        assertThatThrownBy(() -> new ReloadingKeys(certificate(), key(), clock))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot use " + certificate() + " with the key " + key() + ": " + message);
    }

    @Test
    void aKeyOfAKindThatCannotSignIsNamed() throws Exception {
        write(identity("EC"), true);
        KeyPairGenerator generator = KeyPairGenerator.getInstance("X25519");
        Files.writeString(
                key(), pem(new JcaPKCS8Generator(generator.generateKeyPair().getPrivate(), null)));

        assertThatThrownBy(() -> new ReloadingKeys(certificate(), key(), clock))
                .hasMessageEndingWith("the key is not RSA, EC or Ed25519 but XDH");
    }

    @Test
    void aKeyOfAnotherKindThanTheCertificateIsRefused() throws Exception {
        write(identity("EC"), true);
        Files.writeString(certificate(), pem(identity("Ed25519").certificate));

        assertThatThrownBy(() -> new ReloadingKeys(certificate(), key(), clock))
                .hasMessageContaining("the key is not that of the certificate of CN=evenkeel");
    }

    @Test
    void aDirectoryInPlaceOfAFileIsNamed() {
        assertThatThrownBy(() -> new ReloadingKeys(directory, key(), clock)).hasMessage(directory + " is a directory");
    }

    private record Identity(KeyPair keys, X509Certificate certificate) {}

    private static Identity identity(String algorithm) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        if (!algorithm.equals("Ed25519")) {
            generator.initialize(algorithm.equals("EC") ? 256 : 2048);
        }
        KeyPair keys = generator.generateKeyPair();
        X500Name name = new X500Name("CN=evenkeel");
        var builder = new JcaX509v3CertificateBuilder(
                name,
                BigInteger.ONE,
                Date.from(Instant.now().minusSeconds(60)),
                Date.from(Instant.now().plusSeconds(3600)),
                name,
                keys.getPublic());
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1")));
        String signature = switch (algorithm) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> algorithm;
        };
        var signer = new JcaContentSignerBuilder(signature).build(keys.getPrivate());
        return new Identity(keys, new JcaX509CertificateConverter().getCertificate(builder.build(signer)));
    }

    private void write(Identity identity, boolean pkcs8) throws IOException {
        Files.writeString(certificate(), pem(identity.certificate));
        Object key = pkcs8 ? new JcaPKCS8Generator(identity.keys.getPrivate(), null) : traditional(identity.keys);
        String pem = pem(key);
        assertThat(pem)
                .startsWith(
                        pkcs8
                                ? "-----BEGIN PRIVATE KEY"
                                : "-----BEGIN " + identity.keys.getPrivate().getAlgorithm());
        Files.writeString(key(), pem);
    }

    /** As openssl writes keys: what is written of an EC key names its curve. */
    private static PrivateKeyInfo traditional(KeyPair keys) throws IOException {
        PrivateKeyInfo info = PrivateKeyInfo.getInstance(keys.getPrivate().getEncoded());
        if (!(keys.getPrivate() instanceof ECPrivateKey ec)) {
            return info;
        }
        var curve = info.getPrivateKeyAlgorithm();
        return new PrivateKeyInfo(
                curve, new org.bouncycastle.asn1.sec.ECPrivateKey(256, ec.getS(), curve.getParameters()));
    }

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        return text.toString();
    }

    private static SSLContext trust(Identity identity) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("server", identity.certificate);
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static void assertTrusts(EndpointServer server, Identity identity, boolean expected) throws Exception {
        try (var client = new Client(server, trust(identity))) {
            if (expected) {
                assertThat(client.get("/healthz").body()).isEqualTo("ok");
            } else {
                assertThatThrownBy(() -> client.get("/healthz")).isInstanceOf(SSLException.class);
            }
        }
    }

    private static EndpointServer serve(ReloadingKeys keys) throws IOException {
        Routes routes = new Routes().addHealth("/healthz", List.of());
        KeyManager[] own = {keys};
        ServerTls tls = ServerTls.of(own, TlsOptions.from(TlsVersion.TLS_1_2), () -> TrustedClients.NONE);
        return EndpointServer.secure(Client.freePort(), tls, routes, AccessControl.OPEN_TO_ALL, Client.UNHARMED);
    }

    private Path certificate() {
        return directory.resolve("tls.crt");
    }

    private Path key() {
        return directory.resolve("tls.key");
    }
}
