/**
 * Feature gates: those that kube-scheduler 1.36 knows, what Evenkeel makes of each, and which are on. Knows nothing of
 * how they are given, nor of what they change.
 */
@NullMarked
package io.evenkeel.config.feature;

import org.jspecify.annotations.NullMarked;
