import type { PlanRule } from '../plan.ts';

/** Whether rules may join in another order once more is known of the sizes: with fewer than three literals they have one order per delta. */
export function hasOrders(rules: readonly PlanRule[]): boolean {
    return rules.some(({ literals }) => literals.filter(({ negated }) => !negated).length > 2);
}
