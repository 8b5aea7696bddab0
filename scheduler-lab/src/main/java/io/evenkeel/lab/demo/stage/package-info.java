/**
 * What a story plays on: a hollow cluster, the live scheduler beside it, a user who acts through the API, and what is told
 * of it.
 */
@NullMarked
package io.evenkeel.lab.demo.stage;

import org.jspecify.annotations.NullMarked;
