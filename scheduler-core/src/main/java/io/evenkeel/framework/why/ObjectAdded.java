package io.evenkeel.framework.why;

import io.evenkeel.model.KubernetesObject;

/**
 * An object that is neither node nor pod and is there then.
 *
 * @param text for people to read: a noun first
 */
public record ObjectAdded(Kind kind, KubernetesObject object, String text) implements Change {}
