package io.evenkeel.app.hollow.auth;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Bearer tokens and whose they are. */
public final class Tokens {

    private static final String BEARER = "Bearer ";

    private final Map<String, User> users = new ConcurrentHashMap<>();

    public void add(String token, User user) {
        users.put(token, user);
    }

    public void revoke(String token) {
        users.remove(token);
    }

    public Optional<User> userOf(String token) {
        return Optional.ofNullable(users.get(token));
    }

    /** Whom an Authorization header names. */
    public Optional<User> userOfHeader(String header) {
        return header.startsWith(BEARER)
                ? userOf(header.substring(BEARER.length()).strip())
                : Optional.empty();
    }
}
