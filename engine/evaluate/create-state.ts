import type { PlanAggregate } from '../plan/plan.ts';
import type { AggregateState, StateContext } from './aggregate-state.ts';
import { BestState } from './best-state.ts';
import { MedianState, ProductState } from './ordered-states.ts';
import { MeanState, SumState } from './sum-states.ts';
import { UnionState } from './union-state.ts';

export function createState(aggregate: PlanAggregate, context: StateContext): AggregateState {
    switch (aggregate.family) {
        case 'msum':
            return new SumState(aggregate, context);
        case 'mcount':
        case 'maxcount':
            return new SumState({ ...aggregate, numbers: 'integer' }, context);
        case 'mprod':
            return new ProductState(aggregate, context);
        case 'mmin':
            return new BestState(-1, context);
        case 'mmax':
            return new BestState(1, context);
        case 'mavg':
            return new MeanState(aggregate, context);
        case 'mmedian':
            return new MedianState(aggregate, context);
        case 'munion':
            return new UnionState(context);
    }
}
