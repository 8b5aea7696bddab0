/** What has to be remembered of news of the cluster: which are old, which were told of already, what a relist left out. */
@NullMarked
package io.evenkeel.engine.intake;

import org.jspecify.annotations.NullMarked;
