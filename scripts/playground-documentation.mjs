// The documentation beside the playground: each program in it that needs nothing else leads to the page, where it can be run and changed.
import { posix } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { writeDocumentationPages } from './documentation-pages.mjs';

const BLOCK = /^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gmu;
const WORDS = 'Open in the playground';

/** Writes the pages below the folder of the playground. */
export function writePlaygroundDocumentation(folder) {
    const link = (address, from) => {
        const [path, anchor] = address.split('#');
        const file = /\.\w+$/u.test(path) ? path : `${path}.html`;
        return posix.relative(posix.dirname(from), file) + (anchor === undefined ? '' : `#${anchor}`);
    };
    return writeDocumentationPages({ folder, link, withPrograms, icon: '/icon.svg' });
}

function withPrograms(text, address) {
    const page = posix.relative(posix.dirname(address), '/index.html');
    const links = new Map();
    const files = new Map();
    const linked = text.replaceAll(BLOCK, (block, language, attributes, code) => {
        const name = /\bfile=(\S+)/u.exec(attributes)?.[1] ?? 'program.rulelang';
        if (language === 'csv') files.set(name, code);
        else if (language === 'diff') files.set(name, edited(files.get(name) ?? '', code.split('\n')));
        else if (language === 'rulelang') files.set(name, /\bappend\b/u.test(attributes) ? `${files.get(name)}\n${code}` : code);
        const fragment = language === 'rulelang' ? fragmentOf(name, files) : undefined;
        if (fragment === undefined) return block;
        const href = `playground:${links.size}`;
        links.set(href, `${page}${fragment}`);
        return `${block}\n\n[${WORDS}](${href})\n`;
    });
    return { text: linked, links };
}

/** Each run of lines that go is replaced by those that come below it. */
function edited(text, lines) {
    let result = text;
    for (let at = 0; at < lines.length; ) {
        const taken = sign => {
            const from = at;
            while (lines[at]?.startsWith(sign)) at++;
            return lines.slice(from, at).map(line => line.slice(1));
        };
        const gone = taken('-').join('\n');
        const come = taken('+').join('\n');
        if (gone !== '') result = result.replace(gone, () => come);
        else if (come === '') at++;
    }
    return result;
}

/** The program with what it reads and includes, as links of the page have it; nothing where that is not among the files. */
function fragmentOf(program, files) {
    const text = files.get(program);
    const read = [...text.matchAll(/^@q?bind\((.*)\)\.$/gmu)].map(([, bind]) =>
        fileIn(files, name => bind.includes(`"${posix.basename(name)}"`)),
    );
    const included = [...text.matchAll(/@include\("([^"]+)"\)/gu)].map(([, name]) =>
        fileIn(files, file => file.endsWith(`${name}.rulelang`)),
    );
    const needed = [...read, ...included];
    if (needed.includes(undefined) || /\bpython:|\bllm:/u.test(text)) return undefined;
    const taken = [program, ...needed].map(name => [`/${name}`, files.get(name)]);
    const shared = { program: `/${program}`, files: Object.fromEntries(taken) };
    return `#code=${deflateRawSync(JSON.stringify(shared)).toString('base64url')}`;
}

function fileIn(files, isMeant) {
    return [...files.keys()].find(isMeant);
}
