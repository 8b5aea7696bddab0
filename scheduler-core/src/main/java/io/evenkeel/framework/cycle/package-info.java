/**
 * The values that plugins hand on while one pod is scheduled: statuses, scores, rejections, the diagnosis of a pod that fits
 * nowhere. Knows no plugin.
 */
@NullMarked
package io.evenkeel.framework.cycle;

import org.jspecify.annotations.NullMarked;
