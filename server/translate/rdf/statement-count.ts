import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { refuse } from '#server/notices/refusal.ts';

/** Statements that are read and written in seconds. */
const MOST_STATEMENTS = 250_000;
/** Characters of terms, or of rules, where each is written out: a short name may stand for an IRI of any length, and memory holds all of them. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** Counts what a document says, and refuses what is too much. */
export class StatementCount {
    #statements = 0;
    #stated = 0;
    #written = 0;

    /** A statement, by the characters of its three terms. */
    state(characters: number): void {
        this.#statements++;
        if (this.#statements > MOST_STATEMENTS)
            refuse(say`it has more than ${countText(MOST_STATEMENTS)} statements: split it`, 'document');
        this.#stated = counted(this.#stated, characters);
    }

    /** Characters that are written once more than the document has them, such as the IRI that a name stands for. */
    write(characters: number): void {
        this.#written = counted(this.#written, characters);
    }
}

function counted(before: number, characters: number): number {
    const sum = before + characters;
    if (sum <= MOST_CHARACTERS) return sum;
    refuse(
        say`with its IRIs written out it has more than ${countText(MOST_CHARACTERS)} characters: split it, or shorten its IRIs`,
        'document',
    );
}
