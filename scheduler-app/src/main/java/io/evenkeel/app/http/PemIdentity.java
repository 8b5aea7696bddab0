package io.evenkeel.app.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.Optional;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** A server's certificates, its own first, and the key to it: RSA or EC, as PKCS#8, PKCS#1 or SEC1, not encrypted. */
@SuppressWarnings("ArrayRecordComponent") // nobody compares identities
record PemIdentity(X509Certificate[] chain, PrivateKey key) {

    static PemIdentity parse(byte[] certificates, byte[] key) throws GeneralSecurityException, IOException {
        X509Certificate[] chain =
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(certificates))
                        .stream()
                        .map(X509Certificate.class::cast)
                        .toArray(X509Certificate[]::new);
        if (chain.length == 0) {
            throw new GeneralSecurityException("there is no certificate in it");
        }
        PemIdentity identity = new PemIdentity(chain, parseKey(key));
        if (!identity.keyFits()) {
            throw new GeneralSecurityException("the key is not that of the certificate of "
                    + chain[0].getSubjectX500Principal() + "; is the server's own certificate the first?");
        }
        return identity;
    }

    private static PrivateKey parseKey(byte[] pem) throws GeneralSecurityException, IOException {
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
        }
        throw new GeneralSecurityException("there is no private key in it that is not encrypted");
    }

    private boolean keyFits() throws GeneralSecurityException {
        String algorithm = key instanceof RSAKey ? "SHA256withRSA" : "SHA256withECDSA";
        byte[] something = {1, 2, 3};
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(something);
        byte[] signed = signature.sign();
        try {
            signature.initVerify(chain[0].getPublicKey());
            signature.update(something);
            return signature.verify(signed);
        } catch (InvalidKeyException e) {
            return false;
        }
    }
}
