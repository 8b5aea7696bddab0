/** What a user supposes of a pod and its cluster, as changes that can be tried. */
@NullMarked
package io.evenkeel.app.why.suppose;

import org.jspecify.annotations.NullMarked;
