/** HTTP on sockets: connections, protocols, requests and answers as bytes. Knows no resources, and it alone knows Jetty. */
@NullMarked
package io.evenkeel.hollow.rest.wire;

import org.jspecify.annotations.NullMarked;
