package io.evenkeel.hollow;

/** The rights of users: whether one may make a request. It is asked at every request, and by SubjectAccessReviews. */
@FunctionalInterface
public interface Authorizer {

    Authorizer ALLOW_AUTHENTICATED = (user, _) -> !user.equals(User.ANONYMOUS);

    boolean allows(User user, Attributes attributes);
}
