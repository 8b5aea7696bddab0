/** The HTTP side: paths, verbs, watches, discovery. */
@NullMarked
package io.evenkeel.app.hollow.rest;

import org.jspecify.annotations.NullMarked;
