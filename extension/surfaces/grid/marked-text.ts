import { element } from '../dom.ts';
import { matchesIn } from './text-matches.ts';

/** A text with what was sought in it marked, letter case ignored. */
export function markedText(text: string, sought: string): (Node | string)[] {
    return matchesIn(text, sought).map(({ part, matches }) => (matches ? element('mark', {}, part) : part));
}
