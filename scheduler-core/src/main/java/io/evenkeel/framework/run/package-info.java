/**
 * How a profile's plugins are made and run at each extension point, measured, and kept from harming more than the pod at
 * hand; and which nodes are best by their scores. Knows no plugin by name; no plugin knows it.
 */
@NullMarked
package io.evenkeel.framework.run;

import org.jspecify.annotations.NullMarked;
