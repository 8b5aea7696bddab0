/** Replays scenarios: clusters and pods from a file, and for each pod the answer in full. */
@NullMarked
package io.evenkeel.tools.replay;

import org.jspecify.annotations.NullMarked;
