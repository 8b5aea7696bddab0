package io.evenkeel.hollow;

import io.evenkeel.hollow.Authorizer.Attributes;
import io.evenkeel.hollow.Listener.RawRequest;
import io.evenkeel.hollow.resource.Refusals;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

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

    public Optional<User> userOfHeader(String header) {
        return header.startsWith(BEARER)
                ? userOf(header.substring(BEARER.length()).strip())
                : Optional.empty();
    }

    /** The user that a request is of. */
    public record User(String name, List<String> groups) {

        public static final User ANONYMOUS = new User("system:anonymous", List.of("system:unauthenticated"));

        /** The group of all who are known. */
        public static final String AUTHENTICATED = "system:authenticated";

        private static final String SERVICE_ACCOUNT = "system:serviceaccount:";
        private static final String SERVICE_ACCOUNTS = "system:serviceaccounts";

        private static final int PARTS = 4;

        public User {
            groups = List.copyOf(groups);
        }

        /** A user in the groups given and in that of all authenticated users. */
        public static User named(String name, String... groups) {
            return new User(
                    name,
                    Stream.concat(List.of(groups).stream(), Stream.of(AUTHENTICATED))
                            .toList());
        }

        public static User serviceAccount(String namespace, String name) {
            return named(
                    SERVICE_ACCOUNT + namespace + ":" + name, SERVICE_ACCOUNTS, SERVICE_ACCOUNTS + ":" + namespace);
        }

        private boolean isServiceAccount() {
            return name.startsWith(SERVICE_ACCOUNT);
        }

        /** The service account of this user name, if it is one's. */
        public static Optional<User> serviceAccount(String userName) {
            String[] parts = userName.split(":", -1);
            return userName.startsWith(SERVICE_ACCOUNT) && parts.length == PARTS
                    ? Optional.of(serviceAccount(parts[2], parts[3]))
                    : Optional.empty();
        }

        /** The user whom the headers name, as {@code kubectl --as} does; empty where a caller speaks for itself. */
        static Optional<User> impersonatedBy(RawRequest raw) {
            String name = raw.header("Impersonate-User");
            if (name.isEmpty()) {
                return Optional.empty();
            }
            List<String> groups = raw.headers("Impersonate-Group");
            User named = named(name, groups.toArray(String[]::new));
            return Optional.of(groups.isEmpty() ? serviceAccount(name).orElse(named) : named);
        }

        /** Whether this caller may act as another user. */
        void checkMayActAs(User other, Authorizer authorizer) {
            if (equals(other)) {
                return;
            }
            checkMayImpersonate("users", other.name, authorizer);
            if (!other.isServiceAccount()) {
                other.groups.stream()
                        .filter(group -> !group.equals(AUTHENTICATED))
                        .forEach(group -> checkMayImpersonate("groups", group, authorizer));
            }
        }

        private void checkMayImpersonate(String resource, String whom, Authorizer authorizer) {
            if (!authorizer.allows(this, new Attributes("impersonate", "", resource, "", "", whom))) {
                throw Refusals.mayNotImpersonate(name, resource, whom);
            }
        }
    }
}
