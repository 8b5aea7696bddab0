/**
 * How far each workload's pods are spread now, kept by the counts that placing pods keeps anyway, and which constraints say
 * something else than their author meant. Tells nobody: {@code app.observe} shows and logs it.
 */
@NullMarked
package io.evenkeel.app.observe.spread;

import org.jspecify.annotations.NullMarked;
