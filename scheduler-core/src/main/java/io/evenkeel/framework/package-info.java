/**
 * What plugins of the tree have beyond the API: the forms for all nodes at once and for groups of pods, and what they are made
 * from. With {@code framework.cycle} it changes from version to version.
 */
@NullMarked
package io.evenkeel.framework;

import org.jspecify.annotations.NullMarked;
