/** The plugins that come with Evenkeel, all of them by name. */
@NullMarked
package io.evenkeel.plugins;

import org.jspecify.annotations.NullMarked;
