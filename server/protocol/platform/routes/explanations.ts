import { type TSchema, Type } from 'typebox';
import { type RouteDescription, route } from '../route.ts';
import { defaulted, KIBIBYTE, oneOf, optional, SCOPE, text } from '../schema.ts';

const texts = Type.Array(Type.String());
const node = Type.Integer({ minimum: 0 });
const fact = Type.Object({
    /** The number by which a client asks about the fact. */
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
    /** Facts that must not hold. */
    absent: optional(texts),
    /** Its contributions to aggregates. */
    gives: optional(texts),
    /** The premise with which a chain of steps by one rule goes on. */
    next: optional(Type.Integer()),
});
const all = defaulted(Type.Unsafe<boolean>({ type: 'boolean', description: 'All derivations instead of the first.' }), false);
const described = <S extends TSchema>(schema: S, description: string): S => ({ ...schema, description });
const executionId = optional(described(Type.String(), 'The run whose rows are meant.'));
const QUESTION_LENGTH = 4 * KIBIBYTE;

/** A place to look at, `concept:line` or `file:line`. */
const place = Type.Object({ node: Type.Integer(), label: Type.String(), kind: oneOf(['clause', 'source', 'concept']) });
const lack = Type.Object({
    words: Type.String(),
    places: Type.Array(place),
    /** Facts that are nearly the one that is missed. */
    near: Type.Array(Type.Object({ words: Type.String(), place: optional(place) })),
    /** The number by which a client asks about the missing premise, if it is one. */
    node: optional(Type.Integer()),
    /** A fact that is there and should not be. */
    fact: optional(fact),
});
const reason = Type.Object({
    rule: optional(Type.Object({ text: Type.String(), place })),
    holds: Type.Array(Type.Object({ text: Type.String(), note: optional(Type.String()), fact: optional(fact) })),
    lacks: Type.Array(lack),
    /** Further effects of a change of a rule, in words. */
    changes: optional(Type.String()),
});
const absence = Type.Object({
    fact: Type.String(),
    kind: oneOf(['missing', 'further', 'present', 'empty']),
    /** The nearest first, but for `empty`, which has the rules in the order of the text. */
    reasons: Type.Array(reason),
    /** Changes of rules under which the fact would be derived. */
    edits: optional(Type.Array(reason)),
    /** Limits of the search, in words: the parts that it left out. */
    limits: texts,
});

const EXPANDING = ['explanation_not_found', 'not_explainable', 'engine_busy', 'evaluation_timeout'] as const;
const EXPLAINING = [
    'invalid_scope',
    'project_not_found',
    'concept_not_found',
    'results_not_found',
    'results_replaced',
    'evaluation_stopped',
    'program_invalid',
    'missing_parameter',
    'evaluation_failed',
    'source_unavailable',
    ...EXPANDING,
] as const;

export const EXPLANATIONS_ROUTES = {
    explainRow: route({
        method: 'GET',
        path: '/concepts/:project_id/explain',
        summary: 'Why a stored row is there; an addition of this server',
        viewer: true,
        query: Type.Object({
            concept_name: Type.String(),
            row: described(Type.Integer({ minimum: 0 }), 'Its number in the stored order.'),
            execution_id: executionId,
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
        errors: EXPLAINING,
    }),
    tellRow: route({
        method: 'POST',
        path: '/concepts/:project_id/tell',
        summary: 'Why a stored row is there, in the words of the language model; an addition of this server',
        viewer: true,
        body: Type.Object({
            concept_name: text(QUESTION_LENGTH),
            row: described(Type.Integer({ minimum: 0 }), 'Its number in the stored order.'),
            execution_id: executionId,
            scope: SCOPE,
        }),
        data: Type.Object({
            model: Type.String(),
            changed_files: texts,
            /** Each cites steps by their numbers, from 1. */
            sentences: Type.Array(Type.Object({ text: Type.String(), steps: Type.Array(Type.Integer()) })),
            /** Sentences that cited no step, or named what is not in those that they cited. */
            removed: Type.Integer(),
            /** The fact first, then what it rests on. */
            steps: Type.Array(Type.Object({ fact: Type.String(), rules: texts })),
        }),
        message: 'Row told',
        errors: [...EXPLAINING, 'usage_limit_reached', 'llm_not_configured', 'llm_failed'],
    }),
    expandExplanation: route({
        method: 'GET',
        path: '/concepts/:project_id/expand',
        summary: 'What a fact of an explanation rests on; an addition of this server',
        viewer: true,
        query: Type.Object({ explanation_id: Type.String(), node, all }),
        data: Type.Array(derivation),
        message: 'Explanation expanded',
        errors: EXPANDING,
    }),
    explainMissing: route({
        method: 'GET',
        path: '/concepts/:project_id/missing',
        summary: 'Why a row is missing; an addition of this server',
        viewer: true,
        query: Type.Object({
            concept_name: Type.String(),
            question: described(text(QUESTION_LENGTH), 'The row as a fact, with `_` for any value: `big("Rome", _)`.'),
            execution_id: executionId,
            scope: SCOPE,
        }),
        data: Type.Object({
            explanation_id: Type.String(),
            changed_files: texts,
            /** Why it is missing; absent where rows like it are there. */
            absence: optional(absence),
            /** Places to look at first. */
            first: optional(Type.Object({ words: Type.String(), places: Type.Array(place) })),
            /** The first of the rows that are there. */
            facts: optional(Type.Array(fact)),
            count: optional(Type.Integer()),
        }),
        message: 'Missing row explained',
        errors: EXPLAINING,
    }),
    explainAbsence: route({
        method: 'GET',
        path: '/concepts/:project_id/absence',
        summary: 'Why a premise of that explanation is missing; an addition of this server',
        viewer: true,
        query: Type.Object({ explanation_id: Type.String(), node }),
        data: absence,
        message: 'Absence explained',
        errors: EXPANDING,
    }),
} as const satisfies Record<string, RouteDescription>;
