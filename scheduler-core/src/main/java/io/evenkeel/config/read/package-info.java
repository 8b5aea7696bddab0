/**
 * The reader of KubeSchedulerConfiguration v1: strict, with every error named at its place in the file. A binder reads one
 * part of the document; what a field may hold is said there and nowhere else.
 */
@NullMarked
package io.evenkeel.config.read;

import org.jspecify.annotations.NullMarked;
