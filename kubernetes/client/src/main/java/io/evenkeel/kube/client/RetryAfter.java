package io.evenkeel.kube.client;

import java.time.Duration;
import java.util.Optional;

/** The header Retry-After; API servers send it in seconds only. */
final class RetryAfter {
    private static final int MOST_DIGITS = 6;

    private RetryAfter() {}

    static Optional<Duration> parse(String value) {
        String text = value.strip();
        return text.isEmpty() || text.length() > MOST_DIGITS || !text.chars().allMatch(Character::isDigit)
                ? Optional.empty()
                : Optional.of(Duration.ofSeconds(Long.parseLong(text)));
    }
}
