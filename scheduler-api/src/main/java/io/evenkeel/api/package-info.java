/**
 * The API for plugins: the interfaces that a plugin implements, what it is handed, and what it answers. Knows no scheduler;
 * the scheduler's own types implement what is handed out.
 *
 * @since 0.1
 */
@NullMarked
package io.evenkeel.api;

import org.jspecify.annotations.NullMarked;
