package io.evenkeel.hollow;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** Bearer tokens and their users. */
public final class Tokens {

    private static final String BEARER = "Bearer ";

    private record Grant(User user, BooleanSupplier good) {}

    private final Map<String, Grant> grants = new ConcurrentHashMap<>();

    /** A token that is good until it is revoked. */
    public void add(String token, User user) {
        add(token, user, () -> true);
    }

    /** A token that is good while {@code good} says so. */
    public void add(String token, User user, BooleanSupplier good) {
        grants.put(token, new Grant(user, good));
    }

    public void revoke(String token) {
        grants.remove(token);
    }

    public Optional<User> userOf(String token) {
        return Optional.ofNullable(grants.get(token))
                .filter(grant -> grant.good().getAsBoolean())
                .map(Grant::user);
    }

    /** The user whom an Authorization header names. */
    public Optional<User> userOfHeader(String header) {
        return header.startsWith(BEARER)
                ? userOf(header.substring(BEARER.length()).strip())
                : Optional.empty();
    }
}
