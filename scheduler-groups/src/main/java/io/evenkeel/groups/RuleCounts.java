package io.evenkeel.groups;

import io.evenkeel.groups.AlikeModel.KeyLevel;
import io.evenkeel.groups.AlikeModel.SkewRule;
import java.util.ArrayList;
import java.util.List;

/**
 * The counts of all rules of a model, those over crossing keys last, while its pods come one after the other and are taken back,
 * and which node may take the next. A step costs one look at each rule; when a rule's minimum rises, one at each of its domains.
 */
final class RuleCounts {
    private final AlikeModel model;
    private final SkewRule[] rules;
    private final int[][] domainOf;
    private final int[][] counts;
    private final int[][] placed;
    private final int[] minima;
    private final int[] atMinimum;

    RuleCounts(AlikeModel model) {
        this.model = model;
        List<KeyLevel> levels = new ArrayList<>(model.levels);
        levels.addAll(model.crossing);
        int all = levels.stream().mapToInt(level -> level.rules().size()).sum();
        rules = new SkewRule[all];
        domainOf = new int[all][];
        counts = new int[all][];
        placed = new int[all][];
        minima = new int[all];
        atMinimum = new int[all];
        int rule = 0;
        for (KeyLevel level : levels) {
            for (SkewRule each : level.rules()) {
                rules[rule] = each;
                domainOf[rule] = level.domainOf();
                counts[rule] = each.existing().clone();
                placed[rule] = new int[level.size()];
                findMinimum(rule);
                rule++;
            }
        }
    }

    boolean allow(int node) {
        for (int rule = 0; rule < rules.length; rule++) {
            int domain = domainOf[rule][node];
            if (placed[rule][domain] >= rules[rule].most()) {
                return false;
            }
            if (rules[rule].maxSkew() != SkewRule.UNBOUNDED
                    && rules[rule].counted()[domain]
                    && (long) counts[rule][domain] + 1 - minima[rule] > rules[rule].maxSkew()) {
                return false;
            }
        }
        return true;
    }

    void add(int node) {
        for (int rule = 0; rule < rules.length; rule++) {
            int domain = domainOf[rule][node];
            placed[rule][domain]++;
            if (rules[rule].counted()[domain] && counts[rule][domain]++ == minima[rule] && --atMinimum[rule] == 0) {
                findMinimum(rule);
            }
        }
    }

    /** Takes a pod back from the node. */
    void remove(int node) {
        for (int rule = 0; rule < rules.length; rule++) {
            int domain = domainOf[rule][node];
            placed[rule][domain]--;
            if (rules[rule].counted()[domain]) {
                int count = --counts[rule][domain];
                if (rules[rule].hasMinimum() && count <= minima[rule]) {
                    atMinimum[rule] = count == minima[rule] ? atMinimum[rule] + 1 : 1;
                    minima[rule] = count;
                }
            }
        }
    }

    int size() {
        return rules.length;
    }

    int domains(int rule) {
        return counts[rule].length;
    }

    int domain(int rule, int node) {
        return domainOf[rule][node];
    }

    /** Whether other domains of the rule wait for this one. */
    boolean isLagging(int rule, int domain) {
        return rules[rule].hasMinimum() && rules[rule].counted()[domain] && counts[rule][domain] == minima[rule];
    }

    /** How full the node's domains of these levels are, the coarsest counting most; to compare nodes by. */
    int compareFill(List<KeyLevel> levels, int one, int other) {
        for (KeyLevel level : levels) {
            int rule = model.ruleOf(level);
            int difference = count(rule, one) - count(rule, other);
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    /** How many pods the node's domain holds by the rule. */
    int count(int rule, int node) {
        return counts[rule][domainOf[rule][node]];
    }

    private void findMinimum(int rule) {
        if (!rules[rule].hasMinimum()) {
            minima[rule] = 0;
            atMinimum[rule] = Integer.MAX_VALUE;
            return;
        }
        int minimum = Integer.MAX_VALUE;
        int having = 0;
        for (int domain = 0; domain < counts[rule].length; domain++) {
            if (rules[rule].counted()[domain] && counts[rule][domain] <= minimum) {
                having = counts[rule][domain] == minimum ? having + 1 : 1;
                minimum = counts[rule][domain];
            }
        }
        minima[rule] = having == 0 ? 0 : minimum;
        atMinimum[rule] = having == 0 ? Integer.MAX_VALUE : having;
    }
}
