package io.evenkeel.kube.client.http2;

import java.util.Map;
import java.util.Optional;

/**
 * An answer that is there as a whole.
 *
 * @param headers the headers of {@link ResponseHeaders#KEPT}
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares replies
public record Reply(int code, Map<String, String> headers, byte[] body) {
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }
}
