/**
 * What is wrong with the spread that a workload asks for, whatever its pods do now. A lint is a class, and all of them are listed in
 * {@link io.evenkeel.app.observe.lint.Lint#ALL}.
 */
@NullMarked
package io.evenkeel.app.observe.lint;

import org.jspecify.annotations.NullMarked;
