/**
 * Answers of plugins about a pod that fits nowhere, beyond their verdicts: what they count, what might change their minds, and
 * which change of pod or node would be a remedy.
 */
@NullMarked
package io.evenkeel.framework.why;

import org.jspecify.annotations.NullMarked;
