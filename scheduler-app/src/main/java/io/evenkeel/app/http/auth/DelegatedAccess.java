package io.evenkeel.app.http.auth;

import io.evenkeel.app.http.AccessControl;
import io.evenkeel.app.http.ErrorStatus;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.auth.Identification.Finding.Known;
import io.evenkeel.app.http.auth.Identification.Finding.Nothing;
import io.evenkeel.app.http.auth.Identification.Finding.Refused;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Identifies the client, and lets the API server decide whether it may read what it asks for. Some paths are for everybody and
 * pass without asking. Refusals are worded as by other Kubernetes components.
 */
final class DelegatedAccess implements AccessControl {
    private static final Logger log = LoggerFactory.getLogger(DelegatedAccess.class);

    private final List<String> allowedPaths;
    private final Identification identification;
    private final AccessReviews access;

    DelegatedAccess(List<String> allowedPaths, Identification identification, AccessReviews access) {
        this.allowedPaths = List.copyOf(allowedPaths);
        this.identification = identification;
        this.access = access;
    }

    @Override
    public Admission admission(Request request) {
        if (allowedPaths.stream().anyMatch(allowed -> covers(allowed, request.path()))) {
            return new Passed(request);
        }
        Optional<User> user;
        try {
            user = user(request);
        } catch (TooManyReviewsException _) {
            return new TurnedAway(ErrorStatus.tooMany());
        } catch (ReviewFailedException _) {
            return new TurnedAway(ErrorStatus.unauthorized());
        }
        if (user.isEmpty()) {
            return new TurnedAway(ErrorStatus.unauthorized());
        }
        Attributes attributes = Attributes.of(request);
        try {
            AccessReviews.Verdict verdict = access.review(user.get(), attributes);
            return verdict.allowed()
                    ? new Passed(request.by(user.get().name()))
                    : new TurnedAway(forbidden(user.get(), attributes, verdict));
        } catch (TooManyReviewsException _) {
            return new TurnedAway(ErrorStatus.tooMany());
        } catch (ReviewFailedException _) {
            return new TurnedAway(ErrorStatus.internal("access to the path could not be reviewed"));
        }
    }

    private static Reply forbidden(User user, Attributes attributes, AccessReviews.Verdict verdict) {
        String what = attributes.refused(user.name());
        return ErrorStatus.forbidden(verdict.reason().isEmpty() ? what : what + ": " + verdict.reason());
    }

    /** The user behind the request, anonymous if it shows no credential; empty if the shown ones are bad. */
    private Optional<User> user(Request request) throws ReviewFailedException {
        return switch (identification.identify(request)) {
            case Known known -> Optional.of(known.user());
            case Nothing _ -> Optional.of(User.ANONYMOUS);
            case Refused refused -> {
                log.atDebug()
                        .setMessage("Client not authenticated")
                        .addKeyValue("why", refused.why())
                        .log();
                yield Optional.empty();
            }
        };
    }

    private static boolean covers(String allowed, String path) {
        return allowed.endsWith("*")
                ? path.startsWith(allowed.substring(0, allowed.length() - 1))
                : path.equals(allowed);
    }
}
