/** What is found out about groups of pods and kept until they have come: which node is whose, and how many there are. */
@NullMarked
package io.evenkeel.engine.group.plan;

import org.jspecify.annotations.NullMarked;
