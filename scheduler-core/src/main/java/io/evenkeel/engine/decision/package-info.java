/**
 * How one pod is decided: the scheduling cycle, extenders, the choice among the best nodes, and what comes of it. Changes the
 * cluster by what-ifs and assumptions alone.
 */
@NullMarked
package io.evenkeel.engine.decision;

import org.jspecify.annotations.NullMarked;
