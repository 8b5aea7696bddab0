/** The plugins that come with Evenkeel, all of them by name, and the two that are a few lines each. */
@NullMarked
package io.evenkeel.plugins;

import org.jspecify.annotations.NullMarked;
