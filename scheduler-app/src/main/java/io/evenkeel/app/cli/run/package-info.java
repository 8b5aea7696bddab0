/**
 * {@code evenkeel run} and its flags: those of kube-scheduler that have an effect, and those that are accepted without one.
 */
@NullMarked
package io.evenkeel.app.cli.run;

import org.jspecify.annotations.NullMarked;
