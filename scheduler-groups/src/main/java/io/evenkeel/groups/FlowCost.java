package io.evenkeel.groups;

/** The cost of a flow, in questions to the filters that take about as long. */
final class FlowCost {
    private static final int CELLS_AND_PODS_A_QUESTION = 16;

    private FlowCost() {}

    /** Of so many pods through the model, and of an order for it. */
    static long of(AlikeModel model, int pods) {
        return 1 + ((long) model.cells() + pods) / CELLS_AND_PODS_A_QUESTION;
    }
}
