package io.evenkeel.hollow;

import io.evenkeel.hollow.Tokens.User;

/** The rights of users: whether one may make a request. It is asked at every request, and by SubjectAccessReviews. */
@FunctionalInterface
public interface Authorizer {

    Authorizer ALLOW_AUTHENTICATED = (user, _) -> !user.equals(User.ANONYMOUS);

    boolean allows(User user, Attributes attributes);

    /** A request as rights are granted for it: verb, resource, name; what does not apply is empty. */
    record Attributes(String verb, String group, String resource, String subresource, String namespace, String name) {

        /** As rules name it: {@code pods/binding}. */
        public String resourcePath() {
            return subresource.isEmpty() ? resource : resource + "/" + subresource;
        }
    }
}
