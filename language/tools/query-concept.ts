import { openDocument } from '#language/document/open-document.ts';
import { type Completion, plain } from '#language/editing/completion.ts';
import { completions } from '#language/editing/completions.ts';
import { hoverCard } from '#language/editing/hover-card.ts';
import { codeBlock } from '#language/editing/markdown.ts';
import { columnsSignature } from '#language/editing/signatures.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { problem, withMeant, withSeverity } from '#language/problems/catalogue.ts';
import { spanInSql, sqlOf } from '#language/program/embedded-sql.ts';
import type { Problem } from '#language/program/problem.ts';
import { readQuery } from '#language/sql/read-query.ts';
import { sqlOutline } from '#language/sql/sql-outline.ts';
import { type SuppliedRelation, suppliedSchemas } from './supplied-relations.ts';

/** Places in the text of the query. */
interface Placed {
    readonly start: number;
    readonly end: number;
}

/** Editor answers for a query that is a concept. Its tables are the other concepts of its project. */
export interface QueryConcept {
    /** Tables that are not concepts, and columns that they lack; empty if the query cannot be read as a whole. */
    problems(): readonly (Placed & Pick<Problem, 'code' | 'severity' | 'message' | 'remedy'>)[];
    completions(offset: number): (Placed & { readonly items: readonly Completion[] }) | undefined;
    hover(offset: number): (Placed & { readonly markdown: string }) | undefined;
    /** The concept that the table at an offset is. */
    tableAt(offset: number): string | undefined;
}

/** For the language a query is the body of a rule, whose head takes its columns from it. */
const [BEFORE, BEHIND] = ['query() <- ', '\n.\n'];
const LISTED = 200;

export function queryConcept(text: string, relations: readonly SuppliedRelation[]): QueryConcept {
    const names = relations.map(({ name }) => name);
    const relationNamed = (table: string): string | undefined =>
        names.find(name => name === table) ?? names.find(name => name.toLowerCase() === table.toLowerCase());
    const called = readQuery(text).tables.flatMap(({ name }) => {
        const relation = relations.find(one => one.name === relationNamed(name));
        return relation === undefined ? [] : [{ ...relation, name }];
    });
    // A relation without columns is left out: its columns are not known yet.
    const schemas = suppliedSchemas([...relations, ...called].filter(({ columns }) => columns.length > 0));
    const document = openDocument(`${BEFORE}${text}${BEHIND}`, 'concept:', { schemas, concept: true, sql: readQuery });
    const [clause, ...others] = document.program.clauses;
    const sql = clause?.kind === 'rule' && others.length === 0 ? sqlOf(clause) : undefined;
    const placed = ({ start, end }: Placed): Placed => ({
        start: Math.max(0, start - BEFORE.length),
        end: Math.min(text.length, end - BEFORE.length),
    });
    const tables =
        sql === undefined ? [] : readQuery(sql.text).tables.map(({ name, ...span }) => ({ name, ...placed(spanInSql(sql, span)) }));
    const tableAt = (offset: number) => tables.find(({ start, end }) => start <= offset && offset <= end);
    const told = ({ code, severity, message, remedy }: Problem, { start, end }: Placed) => ({
        ...{ start, end, code, severity, message },
        ...(remedy !== undefined && { remedy }),
    });
    return {
        problems: () => {
            // A dot with a blank behind it ends a rule: then something else is looked at than was written.
            if (clause === undefined || sql?.text.trim() !== text.trim()) return [];
            const unknown = tables.filter(({ name }) => relationNamed(name) === undefined);
            const ofTables = unknown.map(({ name, ...span }) => {
                const found = withMeant(problem('RL7003', clause.place, span, name), nearestName(name, names));
                return told(withSeverity(found, 'warning'), span);
            });
            const ofColumns = document.problems.filter(({ code }) => code === 'RL7006').map(one => told(one, placed(one.span)));
            return [...ofTables, ...ofColumns];
        },
        completions: offset => {
            const found = completions(document, offset + BEFORE.length, { limit: LISTED });
            if (found === undefined || text.trim() === '') return undefined;
            // Leave out the head of the rule, and a name that the user is typing.
            const isMade = (name: string): boolean => document.analysed.predicatesNamed(name).length > 0;
            const items = found.items.filter(({ label }) => !isMade(label) || names.includes(label));
            const { start } = placed(found.range);
            const typed = text.slice(start, offset).toLowerCase();
            const others = sqlOutline(text).at(start).wantsTable
                ? names.filter(name => name.toLowerCase().includes(typed) && !items.some(({ label }) => label === name))
                : [];
            const unread = others.map((label): Completion => ({ label, kind: 'predicate', insert: plain(label), rank: 1 }));
            return { ...placed(found.range), items: [...items, ...unread] };
        },
        hover: offset => {
            const table = tableAt(offset);
            const relation = table && relations.find(({ name }) => name === relationNamed(table.name));
            if (table !== undefined && relation !== undefined) {
                const [[, { columns }] = ['', { columns: [] }]] = suppliedSchemas([relation]);
                return { start: table.start, end: table.end, markdown: codeBlock(columnsSignature(relation.name, columns).label) };
            }
            const card = hoverCard(document, offset + BEFORE.length);
            return card && { ...placed(card.range), markdown: card.markdown };
        },
        tableAt: offset => {
            const table = tableAt(offset);
            return table && relationNamed(table.name);
        },
    };
}
