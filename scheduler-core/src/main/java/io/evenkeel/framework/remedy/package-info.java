/** Changes of a pod that fits nowhere, or of its cluster, that might make it fit: what each makes of the objects, and how it is written. */
@NullMarked
package io.evenkeel.framework.remedy;

import org.jspecify.annotations.NullMarked;
