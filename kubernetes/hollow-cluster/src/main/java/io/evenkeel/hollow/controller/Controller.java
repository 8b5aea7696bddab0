package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import java.util.function.Consumer;

/**
 * Brings what is closer to what shall be, one object at a time. All controllers run on one thread; what they write comes
 * back to them as changes.
 */
interface Controller {

    /** Names the objects that a change gives cause to look at; several changes of an object lead to one look. */
    void forEachConcerned(Change change, Consumer<ObjectKey> look);

    /** Looks at an object, which may be gone, and does what is to be done now. */
    void sync(ObjectKey key);
}
