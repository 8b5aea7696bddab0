/**
 * An own compiler for CEL, the language of Kubernetes' selectors: a parser, a type check, and closures that do bounded
 * work. It knows nothing of scheduling.
 */
@NullMarked
package io.evenkeel.cel;

import org.jspecify.annotations.NullMarked;
