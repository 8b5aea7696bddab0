/** A cluster that a command lists once. */
@NullMarked
package io.evenkeel.app.cli.listing;

import org.jspecify.annotations.NullMarked;
