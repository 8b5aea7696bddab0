/** Versioned objects with their history, as etcd keeps them. Knows nothing of what is in an object but its metadata. */
@NullMarked
package io.evenkeel.hollow.store;

import org.jspecify.annotations.NullMarked;
