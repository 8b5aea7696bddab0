package io.evenkeel.framework.why;

import io.evenkeel.model.Node;
import java.util.List;

/** A change of a node that there is. */
public sealed interface NodeChange extends Change permits MoreOffered, NodeLabelled, TaintRemoved, Uncordoned {

    String node();

    /** The node once it is changed. */
    Node applied(Node before);

    /** Returns the change as operations on the object that the node was read from. */
    List<PatchOperation> patch(Node before);
}
