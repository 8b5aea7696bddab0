/** What a live scheduler's log says of bindings, faults and gangs. */
@NullMarked
package io.evenkeel.app.live.log;

import org.jspecify.annotations.NullMarked;
