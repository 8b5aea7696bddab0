/** Why pods are where they are, over HTTP: an API group that an API server can serve as its own. */
@NullMarked
package io.evenkeel.tools.why.api;

import org.jspecify.annotations.NullMarked;
