/** What a pod, and the profile, ask of a node's labels and name. */
@NullMarked
package io.evenkeel.plugins.nodeaffinity;

import org.jspecify.annotations.NullMarked;
