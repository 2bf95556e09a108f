import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LONGEST = 72;
/** Subjects that git writes itself, or that a rebase takes away. */
const BY_GIT = /^(?:Merge |Revert "|Reapply "|(?:fixup|squash|amend)! )/u;
const AREA = /^[a-z][\w./-]*(?: [\w./-]+)?(?:, [a-z][\w./-]*(?: [\w./-]+)?)*: /u;

/** Returns what is wrong with the subject of a commit, by the rule of CONTRIBUTING.md: `area: imperative object`. */
export function subjectFaults(subject) {
    if (BY_GIT.test(subject)) return [];
    const area = AREA.exec(subject)?.[0];
    const length = [...subject].length;
    return [
        ...(area === undefined ? ["begin with the area, a colon and a blank, such as 'grid: '"] : []),
        ...(area !== undefined && !/^[a-z]/u.test(subject.slice(area.length)) ? ['write a verb in small letters behind the area'] : []),
        ...(length > LONGEST ? [`use at most ${LONGEST} characters, not ${length}: the reason belongs in the body`] : []),
        ...(subject.endsWith('.') ? ['leave out the full stop at the end'] : []),
    ];
}

/** Returns the subject in the text that git gives a `commit-msg` hook, whose comments begin with `#`. */
export function subjectIn(message) {
    return message.split(/\r?\n/u).find(line => line.trim() !== '' && !line.startsWith('#')) ?? '';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const subject = subjectIn(readFileSync(process.argv[2], 'utf8'));
    // Git itself refuses an empty message.
    const faults = subject === '' ? [] : subjectFaults(subject);
    if (faults.length > 0) {
        process.exitCode = 1;
        console.error(`The subject of this commit is not 'area: imperative object' (CONTRIBUTING.md, "How we write"):\n  ${subject}`);
        for (const fault of faults) console.error(`- ${fault}`);
        console.error(`Nothing is committed. This opens your message again: git commit --edit --file '${process.argv[2]}'`);
    }
}
