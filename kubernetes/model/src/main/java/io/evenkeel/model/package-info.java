/**
 * Kubernetes objects as a scheduler needs them: immutable records that hold only what scheduling reads, and their
 * readers. Depends on nothing else of Evenkeel.
 */
@NullMarked
package io.evenkeel.model;

import org.jspecify.annotations.NullMarked;
