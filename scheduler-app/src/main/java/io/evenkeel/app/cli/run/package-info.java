/**
 * {@code evenkeel run} and its flags: kube-scheduler's flags that have an effect, and others that are accepted without one.
 */
@NullMarked
package io.evenkeel.app.cli.run;

import org.jspecify.annotations.NullMarked;
