/**
 * How far each workload's pods are spread now, kept by the counts that placing pods keeps anyway, and which constraints say
 * something else than their author meant. Shows and logs nothing: {@code app.observe} does.
 */
@NullMarked
package io.evenkeel.tools.observe.spread;

import org.jspecify.annotations.NullMarked;
