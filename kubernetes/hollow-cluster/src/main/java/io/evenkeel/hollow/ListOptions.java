package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.ApiRequest.Query;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.LabelSelector;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import java.util.List;
import java.util.Optional;

/** The options of a list or watch, checked as a real server checks them. */
record ListOptions(
        ObjectSelector selector,
        String resourceVersion,
        String resourceVersionMatch,
        long limit,
        String continueToken,
        Optional<Boolean> sendInitialEvents,
        boolean bookmarks,
        Optional<Long> timeoutSeconds) {

    private static final String MATCH = "resourceVersionMatch";
    private static final String INITIAL = "sendInitialEvents";
    private static final String EXACT = "Exact";
    private static final String NOT_OLDER = "NotOlderThan";

    static ListOptions read(Query query, ResourceType type) {
        String version = query.text("resourceVersion");
        if (!version.matches("[0-9]{0,18}")) {
            throw Refusals.badRequest("resourceVersion: Invalid value: \"" + version + "\": must be a whole number");
        }
        return new ListOptions(
                new ObjectSelector(
                        LabelSelector.parse(query.text("labelSelector")),
                        FieldSelector.parse(query.text("fieldSelector"), type)),
                version,
                query.text(MATCH),
                query.number("limit").orElse(0L),
                query.text("continue"),
                query.truth(INITIAL),
                query.isTrue("allowWatchBookmarks"),
                query.number("timeoutSeconds"));
    }

    ListOptions selecting(ObjectSelector other) {
        return new ListOptions(
                other,
                resourceVersion,
                resourceVersionMatch,
                limit,
                continueToken,
                sendInitialEvents,
                bookmarks,
                timeoutSeconds);
    }

    long version() {
        return resourceVersion.isEmpty() ? 0 : Long.parseLong(resourceVersion);
    }

    boolean exact() {
        return resourceVersionMatch.equals(EXACT);
    }

    void checkForList() {
        FieldErrors errors = new FieldErrors();
        if (!resourceVersionMatch.isEmpty()) {
            if (resourceVersion.isEmpty()) {
                errors.forbidden(MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided");
            }
            if (!continueToken.isEmpty()) {
                errors.forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided");
            }
            if (!exact() && !resourceVersionMatch.equals(NOT_OLDER)) {
                errors.notSupported(MATCH, resourceVersionMatch, List.of(EXACT, NOT_OLDER, ""));
            }
            if (exact() && resourceVersion.equals("0")) {
                errors.forbidden(MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
            }
        }
        if (sendInitialEvents.isPresent()) {
            errors.forbidden(INITIAL, "sendInitialEvents is forbidden for list");
        }
        refuse(errors);
    }

    void checkForWatch(boolean watchListOffered) {
        FieldErrors errors = new FieldErrors();
        if (sendInitialEvents.isPresent()) {
            if (!resourceVersionMatch.equals(NOT_OLDER)) {
                errors.forbidden(MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
            }
            if (!watchListOffered) {
                errors.forbidden(
                        INITIAL,
                        "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled");
            }
        }
        if (!resourceVersionMatch.isEmpty()) {
            if (sendInitialEvents.isEmpty()) {
                errors.forbidden(
                        MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
            }
            if (!resourceVersionMatch.equals(NOT_OLDER)) {
                errors.notSupported(MATCH, resourceVersionMatch, List.of(NOT_OLDER));
            }
            if (!continueToken.isEmpty()) {
                errors.forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided");
            }
        }
        refuse(errors);
    }

    private static void refuse(FieldErrors errors) {
        errors.refuse("meta.k8s.io", "ListOptions", "");
    }

    /** The choice of a list or watch within its resource and namespace. */
    record ObjectSelector(LabelSelector labels, FieldSelector fields) {

        static final ObjectSelector EVERYTHING = new ObjectSelector(LabelSelector.EVERYTHING, FieldSelector.EVERYTHING);

        boolean isEverything() {
            return labels.isEverything() && fields.isEverything();
        }

        boolean matches(JsonObject tree) {
            return fields.matches(tree) && labels.matches(tree);
        }
    }
}
