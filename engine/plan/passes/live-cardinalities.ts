import type { PlanRule } from '../plan.ts';
import type { ProgramPass } from '../program-pass.ts';

/** Recursions order their joins anew once more is known of the sizes. */
export const liveCardinalities: ProgramPass<'live-cardinalities'> = {
    name: 'live-cardinalities',
    needs: ({ disabled }) => !disabled.has('join-order'),
    run: ({ strata }) => ({
        strata: strata.map(stratum => (stratum.recursive && hasOrders(stratum.rules) ? { ...stratum, ordersAnew: true } : stratum)),
    }),
};

/** Whether rules may join in another order: with fewer than three literals they have one order per delta. */
function hasOrders(rules: readonly PlanRule[]): boolean {
    return rules.some(({ literals }) => literals.filter(({ negated }) => !negated).length > 2);
}
