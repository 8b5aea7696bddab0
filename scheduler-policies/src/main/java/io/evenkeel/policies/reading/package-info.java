/** Reads policies for those who look on: how their pods are distributed, and what is wrong with that. */
@NullMarked
package io.evenkeel.policies.reading;

import org.jspecify.annotations.NullMarked;
