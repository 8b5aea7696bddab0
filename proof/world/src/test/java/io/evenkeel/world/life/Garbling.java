package io.evenkeel.world.life;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Objects that servers hold and a scheduler cannot read, as those of a newer version may be: an amount on its way becomes a
 * text that is none, of the same length, so that all around it stays whole in every encoding.
 */
public final class Garbling {
    /** As servers hold it; no other amount, name or UID has it in it. */
    public static final String AMOUNT = "7777777n";

    private static final byte[] HELD = AMOUNT.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SENT = "so many.".getBytes(StandardCharsets.US_ASCII);

    private Garbling() {}

    /** The bytes as they leave a server. */
    public static byte[] sent(byte[] bytes) {
        for (int at = 0; at + HELD.length <= bytes.length; at++) {
            if (matches(bytes, at)) {
                System.arraycopy(SENT, 0, bytes, at, SENT.length);
            }
        }
        return bytes;
    }

    private static boolean matches(byte[] bytes, int at) {
        return Arrays.equals(bytes, at, at + HELD.length, HELD, 0, HELD.length);
    }
}
