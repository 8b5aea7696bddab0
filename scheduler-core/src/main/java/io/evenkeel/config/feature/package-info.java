/**
 * Feature gates: those of kube-scheduler 1.36, Evenkeel's support for each, and the ones that are on. Flags and files that
 * set them, and code that asks for them, are elsewhere.
 */
@NullMarked
package io.evenkeel.config.feature;

import org.jspecify.annotations.NullMarked;
