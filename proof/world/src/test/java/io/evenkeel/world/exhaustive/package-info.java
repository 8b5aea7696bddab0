/**
 * A world so small that all of its stories can be told up to a length: every order in which news arrive, requests are
 * carried out and answers come back, with one fault at every place. Its engine, dispatcher's plan, requests, election and
 * fence are the product's; its server and its wires are made by hand, as a world has to begin within a tenth of a
 * millisecond.
 */
@NullMarked
package io.evenkeel.world.exhaustive;

import org.jspecify.annotations.NullMarked;
