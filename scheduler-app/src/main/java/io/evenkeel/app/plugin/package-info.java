/**
 * Out-of-tree plugins: which jars of a directory are plugins, what they get to see of Evenkeel, and how those are
 * refused that cannot work with it. What plugins do once they are made is the framework's affair.
 */
@NullMarked
package io.evenkeel.app.plugin;

import org.jspecify.annotations.NullMarked;
