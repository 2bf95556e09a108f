import { type TSchema, Type } from 'typebox';
import { type RouteDescription, route } from '../route.ts';
import { defaulted, oneOf, optional, SCOPE } from '../schema.ts';

const texts = Type.Array(Type.String());
const fact = Type.Object({
    /** What the fact is asked about by. */
    node: Type.Integer(),
    /** A group holds the contributions to an aggregate. */
    kind: oneOf(['fact', 'group']),
    text: Type.String(),
    verbalization: Type.String(),
    /** The clause, the line of a file or the concept that gave it. */
    origin: optional(Type.Object({ label: Type.String(), kind: oneOf(['clause', 'source', 'concept']) })),
    deferred: Type.Boolean(),
    /** It is derived. */
    expandable: Type.Boolean(),
});
const derivation = Type.Object({
    rule: Type.String(),
    /** `concept:line`. */
    place: Type.String(),
    premises: Type.Array(fact),
    /** What must not be there. */
    absent: optional(texts),
    /** What it contributes to each aggregate. */
    gives: optional(texts),
});
const all = defaulted(Type.Unsafe<boolean>({ type: 'boolean', description: 'All derivations instead of the first.' }), false);
const described = <S extends TSchema>(schema: S, description: string): S => ({ ...schema, description });

export const EXPLANATIONS_ROUTES = {
    explainRow: route({
        method: 'GET',
        path: '/concepts/:project_id/explain',
        summary: 'Why a stored row is there; an addition of this server',
        viewer: true,
        query: Type.Object({
            concept_name: Type.String(),
            row: described(Type.Integer({ minimum: 0 }), 'Its number in the stored order.'),
            execution_id: optional(described(Type.String(), 'The run whose rows are meant.')),
            scope: SCOPE,
            all,
        }),
        data: Type.Object({
            explanation_id: Type.String(),
            /** Files that are others than when the row was stored. */
            changed_files: texts,
            fact,
            derivations: Type.Array(derivation),
            /** The same as text. */
            words: Type.String(),
        }),
        message: 'Row explained',
        errors: [
            'invalid_scope',
            'project_not_found',
            'concept_not_found',
            'results_not_found',
            'results_replaced',
            'evaluation_stopped',
            'program_invalid',
            'missing_parameter',
            'evaluation_failed',
            'not_explainable',
            'source_unavailable',
            'engine_busy',
            'evaluation_timeout',
        ],
    }),
    expandExplanation: route({
        method: 'GET',
        path: '/concepts/:project_id/expand',
        summary: 'What a fact of an explanation rests on; an addition of this server',
        viewer: true,
        query: Type.Object({ explanation_id: Type.String(), node: Type.Integer({ minimum: 0 }), all }),
        data: Type.Array(derivation),
        message: 'Explanation expanded',
        errors: ['explanation_not_found', 'not_explainable', 'evaluation_timeout'],
    }),
} as const satisfies Record<string, RouteDescription>;
