package io.evenkeel.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/** Certificates, one's own first, and the key to it: RSA, EC or Ed25519, as PKCS#8, PKCS#1 or SEC1, not encrypted. */
@SuppressWarnings("ArrayRecordComponent") // nobody compares identities
public record PemIdentity(X509Certificate[] chain, PrivateKey key) {
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----");
    private static final char[] NO_PASSWORD = {};

    /**
     * Reads both.
     *
     * @throws GeneralSecurityException if there is no such thing in them, or they do not fit together
     */
    public static PemIdentity parse(byte[] certificates, byte[] key) throws GeneralSecurityException {
        X509Certificate[] chain = certificates(certificates);
        PemIdentity identity = new PemIdentity(chain, PrivateKeys.parse(key));
        if (!identity.keyFits()) {
            throw new GeneralSecurityException("the key is not that of the certificate of "
                    + chain[0].getSubjectX500Principal() + "; is the owner's own certificate the first?");
        }
        return identity;
    }

    /** At least one. What else is in the file is passed over, for some keep their key in it. */
    public static X509Certificate[] certificates(byte[] pem) throws GeneralSecurityException {
        String blocks = CERTIFICATE
                .matcher(new String(pem, StandardCharsets.ISO_8859_1))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.joining("\n"));
        if (blocks.isEmpty()) {
            throw new GeneralSecurityException("there is no certificate in PEM");
        }
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(blocks.getBytes(StandardCharsets.ISO_8859_1)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
        } catch (CertificateException unreadable) {
            throw new GeneralSecurityException("there is a damaged certificate", unreadable);
        }
    }

    /** For one side of a TLS connection to show who it is. */
    public KeyManager[] keyManagers() throws GeneralSecurityException {
        try {
            // never written anywhere, so it need not be the store that takes ten thousand rounds to hide its keys
            KeyStore store = KeyStore.getInstance("JKS");
            store.load(null, NO_PASSWORD);
            store.setKeyEntry("own", key, NO_PASSWORD, chain);
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, NO_PASSWORD);
            return factory.getKeyManagers();
        } catch (IOException neverWithoutAFile) {
            throw new UncheckedIOException(neverWithoutAFile);
        }
    }

    private boolean keyFits() throws GeneralSecurityException {
        byte[] something = {1, 2, 3};
        Signature signature = Signature.getInstance(signatureOf(key.getAlgorithm()));
        try {
            signature.initSign(key);
            signature.update(something);
            byte[] signed = signature.sign();
            signature.initVerify(chain[0].getPublicKey());
            signature.update(something);
            return signature.verify(signed);
        } catch (InvalidKeyException e) {
            return false;
        }
    }

    private static String signatureOf(String algorithm) throws GeneralSecurityException {
        return switch (algorithm) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            case "EdDSA" -> "EdDSA";
            default -> throw new GeneralSecurityException("the key is not RSA, EC or Ed25519 but " + algorithm);
        };
    }
}
