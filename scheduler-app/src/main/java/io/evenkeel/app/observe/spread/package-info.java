/**
 * How far each workload's pods are spread now, kept by the counts that placing pods keeps anyway. Tells nobody: whoever shows or logs
 * it stands in {@code app.observe}.
 */
@NullMarked
package io.evenkeel.app.observe.spread;

import org.jspecify.annotations.NullMarked;
