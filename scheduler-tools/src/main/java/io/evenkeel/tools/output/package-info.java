/** The forms in which commands give their reports: text for people, JSON and YAML for programs. */
@NullMarked
package io.evenkeel.tools.output;

import org.jspecify.annotations.NullMarked;
