import { DIRECTIVE_FORMS } from '#language/analysis/post-text.ts';
import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { CONNECTED_TYPES } from '#language/library/connected-sources.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import { FUNCTION_FAMILIES } from '#language/library/function-catalogue.ts';
import { OPERATOR_GROUPS } from '#language/library/operators.ts';
import { RELATION_FUNCTIONS } from '#language/library/relation-functions.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import { directiveDocumentation } from './directive-documentation.ts';
import { aggregateSignature, annotationSignature, functionSignature, relationSignature } from './signatures.ts';

/**
 * The language on one page, for models that write programs: what programs are made of by example, then all names from the catalogues, a line
 * each. The examples are run by a test.
 */
export function languagePage(): string {
    const aggregates = Object.values(AGGREGATES);
    return `A program is a set of clauses, each ending with a dot: facts, rules and annotations. Order never matters. % begins a comment.
Names of predicates begin with a lower-case letter, variables with an upper-case letter or _; _ alone is any value. Texts stand in double quotes.
Constants: 12, -3, 2.5, "text", #T, #F, 2031-04-09, 2031-04-09 10:15:00, [1, 2], {1, 2}. head <- body reads "head if body"; commas mean "and", several
rules with one head mean "or".

${PAGE_EXAMPLES.map(({ about, program }) => `${about}\n\`\`\`rulelang\n${program}\n\`\`\``).join('\n\n')}

Rules that matter:
- Every variable of a condition, of a computation and of not must occur in an atom of the same body that is not negated, or left of =.
- A variable that occurs in the head alone is a new unknown value, one for each match. Avoid it unless that is meant.
- A predicate must not depend on its own negation. Recursion through an aggregate needs one that is allowed in recursion.
- = in a body computes or compares; == compares; != < <= > >= as usual. A row is never twice in a predicate.
- Grouping is by the head columns that no aggregate computes.
- Mark each result with @output("predicate"). Read data with @bind and name its columns with @model.

Operators, the strongest first: ${OPERATOR_GROUPS.map(group => group.map(({ operator }) => operator).join(' ')).join(' | ')}

Annotations:
${[...ANNOTATIONS.values()]
    .filter(({ unsupported }) => !unsupported)
    .map(entry => `${annotationSignature(entry).label}: ${entry.documentation}`)
    .join('\n')}

Sources of @bind("predicate", "type option=value", "outer", "inner"):
${CONNECTED_TYPES.map(sourceLine).join('\n')}

Directives of @post("predicate", "directive"):
${[...DIRECTIVE_FORMS.keys()].map(word => directiveDocumentation(word) ?? '').join('\n')}

Aggregates; those with * are allowed in recursion:
${aggregates.map(entry => `${aggregateSignature(entry).label}${entry.direction === undefined ? '' : '*'}: ${entry.documentation}`).join('\n')}

Relation functions, alone in a body: reach(X, Y) <- #TC(edge).
${RELATION_FUNCTIONS.map(({ name, columns, documentation }) => `${relationSignature(name, columns).label}: ${documentation}`).join('\n')}

Functions:
${FUNCTION_FAMILIES.flatMap(({ functions }) => functions)
    .map(entry => functionSignature(entry).label)
    .join('\n')}
`;
}

function sourceLine(type: string): string {
    const source = dataSourceNamed(type);
    const options = [...(source?.options.values() ?? [])].filter(({ group }) => group === 'own').map(({ key }) => key);
    return `${type} (${source?.outer ?? ''}, ${source?.inner ?? ''})${options.length === 0 ? '' : `: ${options.join(', ')}`}`;
}

/** Whole programs, and what they show. */
export const PAGE_EXAMPLES: readonly { readonly about: string; readonly program: string }[] = [
    {
        about: 'Facts, a rule, recursion, negation:',
        program: `parent("Ann", "Bo"). parent("Bo", "Cy").
ancestor(X, Y) <- parent(X, Y).
ancestor(X, Z) <- ancestor(X, Y), parent(Y, Z).
person(X) <- parent(X, _).
person(Y) <- parent(_, Y).
childless(X) <- person(X), not parent(X, _).
@output("ancestor").
@output("childless").`,
    },
    {
        about: 'Data from a file, a parameter, conditions, aggregates by group, the five largest:',
        program: `@bind("sale", "csv useHeaders=true", "data", "sales.csv").
@model("sale", "['region:string', 'customer:string', 'amount:double']").
@param("least", 100).
total(Region, Sum, Customers) <- sale(Region, C, A), A >= ?least, Sum = msum(A), Customers = mcount(1, <C>).
@output("total").
@post("total", "orderby(-2)").
@post("total", "limit(5)").`,
    },
    {
        about: 'A sum within recursion: X controls Y with more than half of its shares, held by itself or by what it controls:',
        program: `own("A", "B", 0.6). own("A", "C", 0.3). own("B", "C", 0.3).
controls(X, X) <- own(X, _, _).
controls(X, Y) <- controls(X, Z), own(Z, Y, W), S = msum(W, <Z>), S > 0.5.
@output("controls").`,
    },
    {
        about: 'The shortest way, cases, functions on texts:',
        program: `road("a", "b", 2). road("b", "c", 2). road("a", "c", 9).
way(X, Y, D) <- road(X, Y, W), D = mmin(W).
way(X, Z, D) <- way(X, Y, A), road(Y, Z, B), D = mmin(A + B).
named(T, K) <- way(X, Y, D), T = concat(X, "-", Y), K = if(D > 3, "far", "near").
@output("named").`,
    },
    {
        about: 'A constraint, and two values that must be the same:',
        program: `id("x", 1). id("y", 2). same("x", "y").
#F <- id(X, N), id(X, M), N > M.
pair(X, Y) <- same(X, Y), X != Y.
@output("pair").`,
    },
];
