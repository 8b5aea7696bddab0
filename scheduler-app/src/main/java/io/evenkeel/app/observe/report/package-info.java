/** What is said of the spread of a cluster that was looked at once: as text for people and as JSON for programs. */
@NullMarked
package io.evenkeel.app.observe.report;

import org.jspecify.annotations.NullMarked;
