import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import { sqlQuery } from '#language/sql/sql-query.ts';
import { onlyBind } from '#language/tools/build-bind.ts';
import { type ConceptDefinition, conceptDefinition, type SuppliedColumns } from '#language/tools/concept-definition.ts';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';
import { unboundTables, withBinds } from './concept-reading.ts';
import type { ConceptType } from './saved-concept.ts';
import { problemDiagnostics, textDiagnostic } from './text-diagnostics.ts';

/** The texts of a concept. */
export interface ConceptText {
    readonly type: ConceptType;
    readonly definition: string;
    /** The annotations of its binds. */
    readonly binds: readonly string[];
    /** The types of the columns of other concepts, as answers call them, by the names of these. */
    readonly supplied?: readonly (readonly [string, readonly string[]])[];
}

/** Facts from the texts of a concept, or a refusal. */
export type ReadConceptText =
    | { readonly kind: 'logic'; readonly value: ConceptDefinition }
    /** `columns` are the names of those of its result; none where a `*` leaves them to its tables, or one has no name. */
    | { readonly kind: 'sql'; readonly tables: readonly string[]; readonly columns: readonly string[] }
    | {
          readonly kind: 'refused';
          readonly code: 'program_invalid' | 'sql_invalid' | 'bind_invalid';
          readonly diagnostics: readonly Diagnostic[];
      };

/** Reads the texts of a concept, which is not run. */
export function readConceptText(text: ConceptText): ReadConceptText {
    const { type, binds } = text;
    const read = type === 'sql' ? readSql(text) : readLogic(text);
    if (read.kind === 'refused') return read;
    for (const bind of binds) {
        if (onlyBind(bind) === undefined && onlyBind(`${bind}.`) === undefined) {
            const diagnostic = textDiagnostic(bind, 0, bind.length, say`the text is not exactly one @bind or @qbind annotation`, 'bind');
            return { kind: 'refused', code: 'bind_invalid', diagnostics: [diagnostic] };
        }
    }
    return read;
}

function readSql({ definition: query, binds }: ConceptText): ReadConceptText {
    const { tables, columns, problems } = sqlQuery(query);
    if (problems.length === 0) return { kind: 'sql', tables: unboundTables(tables, binds), columns };
    const diagnostics = problems.map(({ message, start, end }) => textDiagnostic(query, start, end, message, 'sql'));
    return { kind: 'refused', code: 'sql_invalid', diagnostics };
}

/** Types whose values answers tell apart; of collections they do not tell the elements. */
const TYPES: ReadonlyMap<string, Type> = new Map([
    ['INT', { kind: 'long' }],
    ['DOUBLE', { kind: 'double' }],
    ['STRING', { kind: 'string' }],
    ['BOOLEAN', { kind: 'boolean' }],
    ['DATE', { kind: 'date' }],
    ['DATETIME', { kind: 'timestamp' }],
]);

/** Reads a definition together with its binds, if it can be read alone. */
function readLogic({ definition, binds, supplied = [] }: ConceptText): ReadConceptText {
    const columns: SuppliedColumns = new Map(supplied.map(([name, types]) => [name, types.map(apiType => ({ type: TYPES.get(apiType) }))]));
    const own = conceptDefinition(definition, columns);
    if (!own.ok) return { kind: 'refused', code: 'program_invalid', diagnostics: problemDiagnostics(definition, own.problems) };
    const whole = binds.length === 0 ? own : conceptDefinition(withBinds({ definition, binds }), columns);
    return { kind: 'logic', value: whole.ok ? whole.value : own.value };
}
