package io.evenkeel.engine.why;

import io.evenkeel.framework.why.Change;

/**
 * A change that was tried and does not help.
 *
 * @param because what is in the pod's way nevertheless
 */
public record IneffectiveChange(Change change, String because) {
    public String text() {
        return change.text() + ": " + because;
    }
}
