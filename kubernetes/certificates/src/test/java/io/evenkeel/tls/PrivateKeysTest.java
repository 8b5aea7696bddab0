package io.evenkeel.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.tls.PemIdentity.PrivateKeys;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcePEMEncryptorBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateKeysTest {
    private static final Provider BOUNCY_CASTLE = new BouncyCastleProvider();
    /** By their kinds, for an RSA key takes a second to find. */
    private static final Map<String, KeyPair> PAIRS = new HashMap<>();

    private static final String NO_KEY = "there is no private key in PEM that is not encrypted";

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "secp256r1", "secp384r1", "secp521r1", "Ed25519"})
    void readsPkcs8(String kind) throws Exception {
        PrivateKey key = pair(kind).getPrivate();
        assertThat(read(pem(new JcaPKCS8Generator(key, null)))).isEqualTo(java(key.getEncoded()));
    }

    /** As openssl wrote them until version 3, and kubeadm does. */
    @ParameterizedTest
    @ValueSource(strings = {"RSA", "secp256r1", "secp384r1", "secp521r1"})
    void readsTheFormsBeforePkcs8AsBouncyCastleDoes(String kind) throws Exception {
        String pem = pem(pair(kind).getPrivate());
        assertThat(pem).contains(kind.equals("RSA") ? "BEGIN RSA PRIVATE KEY" : "BEGIN EC PRIVATE KEY");
        assertThat(read(pem)).isEqualTo(java(pkcs8ByBouncyCastle(pem)));
    }

    /** {@code openssl ecparam -genkey} writes the curve first, and there are keys that leave it at that. */
    @Test
    void readsAKeyWhoseCurveIsNamedOnlyBeforeIt() throws Exception {
        KeyPair pair = pair("secp384r1");
        PrivateKeyInfo info = PrivateKeyInfo.getInstance(pair.getPrivate().getEncoded());
        ECPrivateKey bare = new ECPrivateKey(
                384, ECPrivateKey.getInstance(info.parsePrivateKey()).getKey());
        String pem = pem(new PemObject("EC PARAMETERS", SECObjectIdentifiers.secp384r1.getEncoded()))
                + pem(new PemObject("EC PRIVATE KEY", bare.getEncoded()));
        assertThat(read(pem))
                .isInstanceOfSatisfying(
                        java.security.interfaces.ECPrivateKey.class,
                        key -> assertThat(key.getS())
                                .isEqualTo(((java.security.interfaces.ECPrivateKey) pair.getPrivate()).getS()));
    }

    @Test
    void takesTheFirstKeyAmongOtherBlocks() throws Exception {
        PrivateKey key = pair("secp256r1").getPrivate();
        String pem = pem(new PemObject("CERTIFICATE", new byte[] {1, 2, 3}))
                + "subject=CN = somebody\n"
                + pem(new JcaPKCS8Generator(key, null))
                + pem(pair("RSA").getPrivate());
        assertThat(read(pem.replace("\n", "\r\n"))).isEqualTo(java(key.getEncoded()));
    }

    @Test
    void takesNoEncryptedKey() throws Exception {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(
                    pair("RSA"),
                    new JcePEMEncryptorBuilder("AES-128-CBC")
                            .setProvider(BOUNCY_CASTLE)
                            .build("secret".toCharArray()));
        }
        assertThat(text.toString()).contains("Proc-Type: 4,ENCRYPTED");
        assertThatThrownBy(() -> read(text.toString())).hasMessage(NO_KEY);
        assertThatThrownBy(() -> read(pem(new PemObject("ENCRYPTED PRIVATE KEY", new byte[] {48, 0}))))
                .hasMessage(NO_KEY);
        assertThatThrownBy(() -> read("")).hasMessage(NO_KEY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"})
    void whateverIsDamagedIsSaidToBe(String type) throws Exception {
        Random random = new Random(7);
        byte[] sec1 = PrivateKeyInfo.getInstance(pair("secp256r1").getPrivate().getEncoded())
                .parsePrivateKey()
                .toASN1Primitive()
                .getEncoded();
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = Arrays.copyOf(sec1, random.nextInt(sec1.length));
            for (int flips = random.nextInt(4); flips > 0 && bytes.length > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            String pem = pem(new PemObject(type, bytes));
            assertThatThrownBy(() -> read(pem))
                    .isInstanceOf(GeneralSecurityException.class)
                    .hasMessage("the private key is damaged");
        }
    }

    private static PrivateKey read(String pem) throws GeneralSecurityException {
        return PrivateKeys.parse(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private static KeyPair pair(String kind) throws GeneralSecurityException {
        KeyPair known = PAIRS.get(kind);
        if (known != null) {
            return known;
        }
        String algorithm = kind.startsWith("secp") ? "EC" : kind;
        // whose keys name their curve within, as openssl's do
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm, BOUNCY_CASTLE);
        if (kind.startsWith("secp")) {
            generator.initialize(new ECGenParameterSpec(kind), new SecureRandom());
        }
        KeyPair pair = generator.generateKeyPair();
        PAIRS.put(kind, pair);
        return pair;
    }

    /** The same key, by Java's own classes. */
    private static PrivateKey java(byte[] pkcs8) throws GeneralSecurityException {
        String algorithm = switch (PrivateKeyInfo.getInstance(pkcs8)
                .getPrivateKeyAlgorithm()
                .getAlgorithm()
                .getId()) {
            case "1.2.840.113549.1.1.1" -> "RSA";
            case "1.2.840.10045.2.1" -> "EC";
            default -> "EdDSA";
        };
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    }

    private static String pem(Object what) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(what);
        }
        return text.toString();
    }

    private static byte[] pkcs8ByBouncyCastle(String pem) throws IOException {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            return ((PEMKeyPair) parser.readObject()).getPrivateKeyInfo().getEncoded();
        }
    }
}
