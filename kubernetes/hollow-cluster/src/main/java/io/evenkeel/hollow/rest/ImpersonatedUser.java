package io.evenkeel.hollow.rest;

import io.evenkeel.hollow.resource.Refusals;
import java.util.List;
import java.util.Optional;

/** Acting as another, as {@code kubectl --as} does. */
final class ImpersonatedUser {

    private ImpersonatedUser() {}

    /** The user whom the headers name; empty where a caller speaks for itself. */
    static Optional<User> of(RawRequest raw) {
        String name = raw.header("Impersonate-User");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        List<String> groups = raw.headers("Impersonate-Group");
        User named = User.named(name, groups.toArray(String[]::new));
        return Optional.of(groups.isEmpty() ? User.serviceAccount(name).orElse(named) : named);
    }

    /** Whether the caller may act as the user whom it names. */
    static void check(Authorizer authorizer, ApiRequest request) {
        User user = request.user();
        if (request.caller().equals(user)) {
            return;
        }
        check(authorizer, request.caller(), "users", user.name());
        if (!user.isServiceAccount()) {
            user.groups().stream()
                    .filter(group -> !group.equals(User.AUTHENTICATED))
                    .forEach(group -> check(authorizer, request.caller(), "groups", group));
        }
    }

    private static void check(Authorizer authorizer, User caller, String resource, String name) {
        if (!authorizer.allows(caller, new Attributes("impersonate", "", resource, "", "", name))) {
            throw Refusals.mayNotImpersonate(caller.name(), resource, name);
        }
    }
}
