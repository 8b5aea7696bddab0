/**
 * The configuration file, read and written. The reader is strict and names every error at its place in the file. A binder
 * reads one part of the document; what a field may hold is said there and nowhere else.
 */
@NullMarked
package io.evenkeel.config.file;

import org.jspecify.annotations.NullMarked;
