package io.evenkeel.world.exhaustive;

import io.evenkeel.kube.api.ApiCall;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/** All of a world that can make a difference to what happens from now on: equal ones have equal futures. */
record Fingerprint(long high, long low) {
    static Fingerprint of(SmallWorld world) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(text(world).getBytes(StandardCharsets.UTF_8));
            ByteBuffer words = ByteBuffer.wrap(digest);
            return new Fingerprint(words.getLong(), words.getLong());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The same in full. */
    static String text(SmallWorld world) {
        StringBuilder text = new StringBuilder();
        text.append(world.server())
                .append('\n')
                .append(world.election())
                .append(' ')
                .append(world.hadFault());
        world.strays().stream()
                .map(ApiCall::toString)
                .sorted()
                .forEach(stray -> text.append('\n').append(stray));
        for (SteppedReplica replica : world.replicas()) {
            text.append('\n').append(replica.name());
            new Inside(text).of(replica);
        }
        // What a replica to come may not have heard of yet.
        if (!world.hadFault()) {
            text.append('\n').append(described(world.server().log("Pod")));
        }
        return text.toString();
    }

    static List<String> described(List<?> events) {
        List<String> described = new ArrayList<>();
        events.forEach(event -> described.add(Inside.described(event)));
        return described;
    }
}
