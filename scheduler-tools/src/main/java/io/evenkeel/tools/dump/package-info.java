/** Where commands read a cluster from; dumps of it: what scheduling reads in one file, a line an object, with or without names. */
@NullMarked
package io.evenkeel.tools.dump;

import org.jspecify.annotations.NullMarked;
