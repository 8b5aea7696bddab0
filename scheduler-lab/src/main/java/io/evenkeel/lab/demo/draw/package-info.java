/** What the demo shows, drawn for a terminal: tables of the cluster and of its skews, on a page of some width. */
@NullMarked
package io.evenkeel.lab.demo.draw;

import org.jspecify.annotations.NullMarked;
