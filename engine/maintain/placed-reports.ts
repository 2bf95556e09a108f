import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { printRuleText } from '#language/program/print.ts';
import type { Location } from '#language/program/span.ts';
import type { Report } from '../reports/reports.ts';

/**
 * Moves the reports of one program's run to the places of the same rules and binds in another program; undefined if that has them no
 * more.
 */
export function placedReports(reports: readonly Report[], from: AnalysedProgram, to: AnalysedProgram): readonly Report[] | undefined {
    if (from === to || reports.every(({ location }) => location === undefined)) return reports;
    const [known, placed] = [placesByName(from), placesByName(to)];
    const moved = reports.map((report): Report | undefined => {
        const { location } = report;
        if (location === undefined) return report;
        for (const [name, places] of known) {
            const at = places.findIndex(({ place, span }) => place === location.place && span.start === location.span.start);
            if (at < 0) continue;
            const now = placed.get(name)?.[at];
            return now && { ...report, location: now };
        }
        return report;
    });
    return moved.every(report => report !== undefined) ? moved : undefined;
}

/** The places of the rules, aggregates and binds of a program, in order for each name. */
function placesByName({ rules, predicates }: AnalysedProgram): ReadonlyMap<string, readonly Location[]> {
    const places = new Map<string, Location[]>();
    for (const { rule, assignments } of rules) {
        const { place, span } = rule;
        const text = printRuleText(rule);
        const aggregates = assignments.flatMap(one => one.aggregates);
        for (const [index, aggregate] of aggregates.entries()) append(places, `${text} ${index}`, { place, span: aggregate.span });
        append(places, text, { place, span });
    }
    for (const { key, inputBinds } of predicates.values())
        for (const { place, annotation } of inputBinds) append(places, key, { place, span: annotation.span });
    return places;
}
