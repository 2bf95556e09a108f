import type { Database } from '#engine/contracts/database.ts';
import { withNamedTerms } from '#engine/plan/inventions.ts';
import type { Listing } from '#engine/results/listing.ts';
import type { NullLabel } from '#engine/values/text.ts';
import type { AnalysedProgram, AnalysedRule } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { positionAt, type SourceText } from '#server/notices/source-texts.ts';

/** Values told by name. */
const NAMED = 3;

/** Says which of the values that are printed no data gives, and the variables that stand for them, each variable once; nothing where there are none. */
export function inventedValues(
    { program }: Database,
    label: NullLabel,
    texts: ReadonlyMap<string, SourceText>,
): (listing: Listing, limit: number) => string | undefined {
    const told = new Set<string>();
    return (listing, limit) => {
        const { labels, variables } = inventedIn(listing, limit, program, label);
        const fresh = [...variables].filter(([key]) => !told.has(key));
        for (const [key] of fresh) told.add(key);
        if (fresh.length === 0) return undefined;
        const named = labels.slice(0, NAMED).join(', ') + (labels.length > NAMED ? ' …' : '');
        const are = labels.length === 1 ? say`is an unknown value` : say`are unknown values`;
        const places = placesOf(
            fresh.map(([, variable]) => variable),
            program.program.file,
            texts,
        );
        return say`${named} ${are}: ${places.join('; ')}`;
    };
}

interface InventedVariable {
    readonly rule: AnalysedRule;
    readonly name: string;
}

function inventedIn(
    { dictionary, columns, count, at }: Listing,
    limit: number,
    program: AnalysedProgram,
    label: NullLabel,
): { readonly labels: readonly string[]; readonly variables: ReadonlyMap<string, InventedVariable> } {
    const labels = new Set<string>();
    const variables = new Map<string, InventedVariable>();
    const rows = dictionary.hasNulls ? Math.min(count, limit) : 0;
    for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns.length; column++) {
            const id = at(row, column);
            if (!dictionary.isInvented(id)) continue;
            const { rule: index, name } = dictionary.nullSourceOf(id);
            const rule = index === undefined ? undefined : program.rules[index];
            if (rule === undefined) continue;
            labels.add(label(id));
            variables.set(`${index} ${name}`, { rule, name });
        }
    }
    return { labels: [...labels], variables };
}

function placesOf(variables: readonly InventedVariable[], file: string, texts: ReadonlyMap<string, SourceText>): string[] {
    return variables.map(({ rule, name }) => {
        const { place } = rule.rule;
        const terms = withNamedTerms(rule).heads.flatMap(({ atom }) => atom.arguments);
        const term = terms.find(one => one.kind === 'variable' && one.name === name);
        const source = texts.get(place.file);
        const line = source === undefined ? place.line : positionAt(source, place.offset + (term?.span.start ?? 0)).line;
        const where = place.file === file ? '' : say` of ${place.file}`;
        return rule.existential.includes(name)
            ? say`line ${line + 1}${where} never gives ${name} a value`
            : say`line ${line + 1}${where} leaves the column open with _`;
    });
}
