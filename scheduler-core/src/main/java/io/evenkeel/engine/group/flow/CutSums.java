package io.evenkeel.engine.group.flow;

import io.evenkeel.engine.group.flow.Certificate.Cut;
import io.evenkeel.engine.group.flow.Certificate.Vertex;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The bounds of the edges that cross a cut, without the one by which all pods come round.
 *
 * @param spare what may go out less what must come in
 * @param limiting the domains at which it is decided
 */
record CutSums(long spare, Set<Vertex> limiting) {

    static CutSums of(AlikeModel model, Cut cut) {
        int[] minima = cut.minima().stream().mapToInt(Integer::intValue).toArray();
        Set<Vertex> inside = new HashSet<>(cut.inside());
        Set<Vertex> limiting = new LinkedHashSet<>();
        long spare = 0;
        for (boolean isFirst : new boolean[] {true, false}) {
            List<KeyLevel> chain = isFirst ? model.chain : model.otherChain;
            for (int i = 0; i < chain.size(); i++) {
                KeyLevel level = chain.get(i);
                boolean[] seen = new boolean[level.size()];
                for (int node = 0; node < model.nodes.length; node++) {
                    int domain = level.domainOf()[node];
                    if (!seen[domain]) {
                        seen[domain] = true;
                        Vertex own = vertex(level, node);
                        Vertex outer = i == 0 ? (isFirst ? Vertex.FROM : Vertex.TO) : vertex(chain.get(i - 1), node);
                        long crossing = crossing(
                                inside.contains(isFirst ? outer : own),
                                inside.contains(isFirst ? own : outer),
                                level.lower(minima, model.ruleOf(level), domain),
                                level.upper(minima, model.ruleOf(level), domain));
                        spare += crossing;
                        if (inside.contains(own) != inside.contains(outer)) {
                            limiting.add(own);
                        }
                    }
                }
            }
        }
        for (int node = 0; node < model.nodes.length; node++) {
            Vertex from = model.chain.isEmpty() ? Vertex.FROM : vertex(model.chain.getLast(), node);
            Vertex to = model.otherChain.isEmpty() ? Vertex.TO : vertex(model.otherChain.getLast(), node);
            spare += crossing(
                    inside.contains(from),
                    inside.contains(to),
                    model.lowerAt(node, minima),
                    model.upperAt(node, minima));
            if (inside.contains(from) != inside.contains(to) && !model.chain.isEmpty()) {
                limiting.add(from);
            }
        }
        return new CutSums(spare, limiting);
    }

    private static long crossing(boolean fromInside, boolean toInside, int lower, int upper) {
        if (fromInside == toInside) {
            return 0;
        }
        return fromInside ? upper : -(long) lower;
    }

    private static Vertex vertex(KeyLevel level, int node) {
        return new Vertex(level.key(), level.names()[level.domainOf()[node]]);
    }
}
