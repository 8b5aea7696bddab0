package io.evenkeel.api;

import java.util.List;

/**
 * A plugin that knows which changes can help the pods that it has turned away. Pods that a plugin without this
 * interface has turned away are tried again after every change.
 *
 * @since 0.1
 */
public interface WakeUpPlugin extends Plugin {

    /** Asked once, when the profile is made. Changes of kinds that none of them names wake no pod. */
    List<WakeUp> wakeUps();
}
