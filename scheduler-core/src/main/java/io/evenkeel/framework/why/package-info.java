/** What plugins say of a pod that fits nowhere beyond their verdicts: what they count, and what might change their minds. */
@NullMarked
package io.evenkeel.framework.why;

import org.jspecify.annotations.NullMarked;
