/** Why a pod fits nowhere, as text for people and as JSON for programs. */
@NullMarked
package io.evenkeel.app.why;

import org.jspecify.annotations.NullMarked;
