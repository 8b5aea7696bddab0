/** What rules come to in numbers: whose turn it is by weights, and how nodes rank by several rules. */
@NullMarked
package io.evenkeel.plugins.placementpolicy.arithmetic;

import org.jspecify.annotations.NullMarked;
