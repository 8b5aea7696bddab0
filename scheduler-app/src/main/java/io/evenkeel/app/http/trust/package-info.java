/**
 * The authorities whose client certificates are trusted now: by files that flags name, and by what the cluster publishes.
 * Knows nothing of requests; {@code http.auth} finds out who they come from.
 */
@NullMarked
package io.evenkeel.app.http.trust;

import org.jspecify.annotations.NullMarked;
