package io.evenkeel.hollow.resource;

import com.google.gson.JsonObject;

/** The choice of a list or watch within its resource and namespace. */
public record ObjectSelector(LabelSelector labels, FieldSelector fields) {

    public static final ObjectSelector EVERYTHING =
            new ObjectSelector(LabelSelector.EVERYTHING, FieldSelector.EVERYTHING);

    public boolean isEverything() {
        return labels.isEverything() && fields.isEverything();
    }

    public boolean matches(JsonObject tree) {
        return fields.matches(tree) && labels.matches(tree);
    }
}
