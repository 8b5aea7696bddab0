/**
 * Why a pod fits nowhere, now or if something were otherwise, as text for people and as JSON for programs.
 */
@NullMarked
package io.evenkeel.tools.why;

import org.jspecify.annotations.NullMarked;
