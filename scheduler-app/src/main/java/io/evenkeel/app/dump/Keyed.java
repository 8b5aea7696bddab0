package io.evenkeel.app.dump;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Words by a key: the same for the same word in all dumps that have it, and nobody's without. By a keyed hash, since whoever could
 * hash a guess would know whether it is right.
 */
final class Keyed implements UnaryOperator<String> {
    private static final String HMAC = "HmacSHA256";
    private static final int BYTES = 8;

    private final Mac mac;
    private final Map<String, String> words = new HashMap<>();

    Keyed(byte[] key) {
        try {
            mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public String apply(String word) {
        return words.computeIfAbsent(
                word,
                _ -> "n" + HexFormat.of().formatHex(mac.doFinal(word.getBytes(StandardCharsets.UTF_8)), 0, BYTES));
    }
}
