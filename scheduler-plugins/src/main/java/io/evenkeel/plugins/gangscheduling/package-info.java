/** Places the pods of a PodGroup together: of Kubernetes' own, and of the one that the coscheduling plugin brought. */
@NullMarked
package io.evenkeel.plugins.gangscheduling;

import org.jspecify.annotations.NullMarked;
