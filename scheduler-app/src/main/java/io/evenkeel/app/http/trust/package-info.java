/**
 * Whose client certificates are believed at this moment: by files that flags name, and by what the cluster publishes.
 * Knows nothing of requests; who they come from is found out in the package above.
 */
@NullMarked
package io.evenkeel.app.http.trust;

import org.jspecify.annotations.NullMarked;
