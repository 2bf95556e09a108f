import type { PlanAggregate } from '../plan/plan.ts';
import type { AggregateState, StateContext } from './aggregate-state.ts';
import { BestState } from './best-state.ts';
import { ORDERED_RESULTS } from './ordered-results.ts';
import { OrderedState } from './ordered-state.ts';
import { MeanState, SumState } from './sum-states.ts';
import { UnionState } from './union-state.ts';

/** Creates the state of an aggregate. A family without a state of its own is computed from all contributions in order. */
export function createState(aggregate: PlanAggregate, context: StateContext): AggregateState {
    switch (aggregate.family) {
        case 'msum':
            return new SumState(aggregate, context);
        case 'mcount':
        case 'maxcount':
            return new SumState({ ...aggregate, numbers: 'integer' }, context);
        case 'mmin':
            return new BestState(-1, context);
        case 'mmax':
            return new BestState(1, context);
        case 'mavg':
            return new MeanState(aggregate, context);
        case 'munion':
            return new UnionState(context);
        default:
            return new OrderedState(ORDERED_RESULTS[aggregate.family], aggregate, context);
    }
}
