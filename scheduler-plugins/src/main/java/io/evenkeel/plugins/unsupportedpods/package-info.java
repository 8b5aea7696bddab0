/** The guard of every profile: what a pod needs and nobody here looks after keeps it waiting, in plain words. */
@NullMarked
package io.evenkeel.plugins.unsupportedpods;

import org.jspecify.annotations.NullMarked;
