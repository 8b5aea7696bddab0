/** What a simulation came to, in figures, as text for people and as JSON for programs. */
@NullMarked
package io.evenkeel.app.simulate.report;

import org.jspecify.annotations.NullMarked;
