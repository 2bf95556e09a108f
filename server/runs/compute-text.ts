import type { StratumPlace } from '#engine/contracts/run-statistics.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';

/** Says in a line how many strata the engine evaluated; with `isWhole` lists all, each with its statements or the reason why it was evaluated here. */
export function computeText(places: readonly StratumPlace[], engine: string, isWhole: boolean): string {
    const pushed = places.filter(place => 'statements' in place).length;
    const line = say`${engine} evaluated ${pushed} of ${places.length} strata`;
    if (!isWhole) return `${line}${pushed === places.length ? '' : say`; --explain-compute says why not the others`}\n`;
    const strata = places.map((place, at) => {
        const head = `${at + 1}  ${place.predicates.join(', ')}`;
        if ('reason' in place) return say`${head}: here, since ${place.reason}`;
        return [
            `${head}: ${engine}`,
            ...Array.from(
                place.statements,
                ([statement, times]) => `     ${statement}${times === 1 ? '' : say` (${countText(times)} times)`}`,
            ),
        ].join('\n');
    });
    return `${[line, ...strata].join('\n')}\n`;
}
