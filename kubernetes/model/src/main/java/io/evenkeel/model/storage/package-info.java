/** Persistent volumes, the claims to them, and what is known of where they can be, as the API has them. */
@NullMarked
package io.evenkeel.model.storage;

import org.jspecify.annotations.NullMarked;
