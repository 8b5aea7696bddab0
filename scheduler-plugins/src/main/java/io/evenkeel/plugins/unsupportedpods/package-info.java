/** The guard of every profile: a pod that needs what is not supported yet waits, and its condition says for what. */
@NullMarked
package io.evenkeel.plugins.unsupportedpods;

import org.jspecify.annotations.NullMarked;
