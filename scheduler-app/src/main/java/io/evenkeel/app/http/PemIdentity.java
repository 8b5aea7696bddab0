package io.evenkeel.app.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/**
 * A server's certificates, its own first, and the key to it: RSA, EC or Ed25519, as PKCS#8, PKCS#1 or
 * SEC1, not encrypted.
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares identities
record PemIdentity(X509Certificate[] chain, PrivateKey key) {

    /** What an exception says fits behind the names of both files. */
    static PemIdentity parse(byte[] certificates, byte[] key) throws GeneralSecurityException {
        PemIdentity identity = new PemIdentity(parseCertificates(certificates), parseKey(key));
        if (!identity.keyFits()) {
            throw new GeneralSecurityException("the key is not that of the certificate of "
                    + identity.chain[0].getSubjectX500Principal() + "; is the server's own certificate the first?");
        }
        return identity;
    }

    private static X509Certificate[] parseCertificates(byte[] pem) throws GeneralSecurityException {
        X509Certificate[] chain;
        try {
            chain = CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem)).stream()
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
        } catch (CertificateException e) {
            throw new GeneralSecurityException("the first holds no certificate in PEM, or a damaged one", e);
        }
        if (chain.length == 0) {
            throw new GeneralSecurityException("the first holds no certificate in PEM, or a damaged one");
        }
        return chain;
    }

    private static PrivateKey parseKey(byte[] pem) throws GeneralSecurityException {
        try (PEMParser parser = new PEMParser(new StringReader(new String(pem, StandardCharsets.US_ASCII)))) {
            Optional<Object> next = Optional.ofNullable(parser.readObject());
            while (next.isPresent()) {
                switch (next.get()) {
                    case PEMKeyPair pair -> {
                        return new JcaPEMKeyConverter().getPrivateKey(pair.getPrivateKeyInfo());
                    }
                    case PrivateKeyInfo info -> {
                        return new JcaPEMKeyConverter().getPrivateKey(info);
                    }
                    // such as the EC PARAMETERS that openssl writes before the key
                    default -> next = Optional.ofNullable(parser.readObject());
                }
            }
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            throw new GeneralSecurityException("the key is damaged", e);
        }
        throw new GeneralSecurityException("the second holds no private key in PEM that is not encrypted");
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
