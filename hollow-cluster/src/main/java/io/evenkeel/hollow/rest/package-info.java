/** The HTTP side: paths, verbs, watches, discovery. */
@NullMarked
package io.evenkeel.hollow.rest;

import org.jspecify.annotations.NullMarked;
