package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.LabelSelector;

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
