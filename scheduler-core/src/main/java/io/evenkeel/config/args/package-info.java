/**
 * Arguments of plugins, as records completed with kube-scheduler's defaults: one record for each kind that it has, and
 * {@link io.evenkeel.config.args.OpaqueArgs} for all other plugins. Part of the API for plugins.
 */
@NullMarked
package io.evenkeel.config.args;

import org.jspecify.annotations.NullMarked;
