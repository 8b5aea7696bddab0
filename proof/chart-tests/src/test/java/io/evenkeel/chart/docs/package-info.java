/** What is made of the chart: its README's table of values, the example of rights, and why each right is given. */
@NullMarked
package io.evenkeel.chart.docs;

import org.jspecify.annotations.NullMarked;
