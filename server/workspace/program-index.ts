import fs from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { RunStopped } from '#engine/reports/reports.ts';
import { type FileAt, type ModuleFiles, withExtensions } from '#language/modules/find-module.ts';
import { moduleNames } from '#language/modules/include.ts';
import { append } from '#language/program/append.ts';
import type { Module } from '#language/program/inclusion.ts';
import { say } from '#language/program/say.ts';
import { readProgram } from '#language/read-program.ts';
import type { Grants } from '#server/files/grants.ts';
import { readText } from '#server/files/named-text.ts';
import { accessContext, openGranted } from '#server/files/open-granted.ts';
import { flavourOf, forbiddenForm, isInside } from '#server/files/path-rule.ts';
import { programText } from '#server/files/program-text.ts';
import { isLookedInto, isWalked, walkPrograms } from './walk-programs.ts';

/** The folders that an index reads, and the names of their files. */
export interface IndexHost {
    /** The folders in which programs are looked for, and from which included paths start. */
    roots(): readonly string[];
    /** Nothing outside the read roots is read. */
    grants(): Grants;
    /** Bytes of a file that is read, at most. */
    largest(): number;
    /** The name of a file that is read, for the places of its clauses. */
    nameOf(path: string): string;
    /** The path of a file with such a name; nothing for one that is not on disk. */
    pathOf(file: string): string | undefined;
    /** The path as people read it. */
    shown(path: string): string;
    /** Texts that the host has itself, by their names: they stand for what is on disk. */
    held(): Iterable<Module>;
    /** Another number whenever `held` gives something else. */
    readonly version: number;
    /** Further folders in which the includes of a file are looked for. */
    searched?(path: string): readonly string[];
    /** Hears that a path has to be read before an include can be understood. */
    wanted?(): void;
    /** Files come, go and change while the index is in use, and it compares them with the disk when it is asked. */
    readonly isLive?: boolean;
    /** Files that were read before, by their paths; one of the same size is not read again. */
    readonly known?: Map<string, ProgramFile>;
}

/** A program file as it was read last. */
export interface ProgramFile {
    readonly path: string;
    /** In bytes. */
    readonly size: number;
    readonly module: Module;
    readonly text: string;
}

/** The programs of a workspace. Reading goes in steps, so that the caller can do other work in between. */
export interface ProgramIndex extends ModuleFiles {
    /** Begins to look for programs below the roots, again where that was done before. */
    walk(): void;
    /** Looks into one folder or reads one file; false when nothing is left to do. */
    step(): boolean;
    /**
     * Reads a file that has come, gone or changed, or the programs below such a folder, at later steps. Returns false for a path that
     * cannot concern a program.
     */
    refresh(path: string): boolean;
    /** All files that were read. */
    files(): Iterable<ProgramFile>;
    /** Returns a file that was read; undefined also if it is gone from the disk or has another size there. */
    file(name: string): ProgramFile | undefined;
    /** Grows whenever a file is found to be other than it was read, without a call of `refresh`. It is read at a later step. */
    readonly noticed: number;
}

/** Files and characters kept at most. */
const MOST_FILES = 5000;
const MOST_TEXT = 64 * 1024 * 1024;

/** Why there is no program at a path. */
type NoProgram = Exclude<FileAt, Module | undefined>;

export function programIndex(host: IndexHost): ProgramIndex {
    return new Index(host);
}

/** All modules there are, by their paths and by the names that they give themselves. */
interface Modules {
    readonly version: string;
    readonly byPath: ReadonlyMap<string, Module>;
    readonly byName: ReadonlyMap<string, readonly Module[]>;
}

class Index implements ProgramIndex {
    readonly #host: IndexHost;
    readonly #known = new Map<string, ProgramFile | NoProgram>();
    readonly #byName = new Map<string, ProgramFile>();
    /** The folders that hold the known paths, and the folders that hold those. */
    readonly #folders = new Set<string>();
    readonly #waiting = new Set<string>();
    /** Folders that have come and are still to be walked. */
    readonly #cameLater = new Set<string>();
    #walk: Iterator<string | undefined, boolean> | undefined;
    #hasWalked = false;
    #noticed = 0;
    /** Paths that were compared with the disk since the program last waited for anything, and whether they are others there. */
    readonly #compared = new Map<string, boolean>();
    #isPartial = false;
    #length = 0;
    #version = 0;
    #modules: Modules | undefined;

    constructor(host: IndexHost) {
        this.#host = host;
    }

    walk(): void {
        this.#lookForNew();
        for (const path of this.#known.keys()) this.#waiting.add(path);
    }

    #lookForNew(): void {
        this.#cameLater.clear();
        this.#isPartial = false;
        this.#walk = walkPrograms(this.#host.roots());
    }

    step(): boolean {
        for (const path of this.#waiting) {
            this.#waiting.delete(path);
            this.#put(path, this.#read(path));
            return true;
        }
        if (this.#walk === undefined) return this.#walkNext();
        const next = this.#walk.next();
        if (next.done || this.#byName.size >= MOST_FILES || this.#length > MOST_TEXT) {
            this.#walk = undefined;
            this.#isPartial ||= next.done ? next.value : true;
            this.#hasWalked = true;
        } else if (next.value !== undefined && !this.#isRead(next.value)) this.#waiting.add(next.value);
        return true;
    }

    #walkNext(): boolean {
        for (const folder of this.#cameLater) {
            this.#cameLater.delete(folder);
            this.#walk = walkPrograms([folder]);
            return true;
        }
        return false;
    }

    refresh(path: string): boolean {
        const roots = this.#host.roots();
        if (this.#known.has(path) || isWalked(path, roots)) {
            this.#waiting.add(path);
            return true;
        }
        const hasPrograms = this.#folders.has(path);
        if (hasPrograms) {
            const flavour = flavourOf(process.platform);
            for (const known of this.#known.keys()) if (isInside(path, known, flavour)) this.#waiting.add(known);
        }
        if (!isLookedInto(path, roots) || !isFolder(path)) return hasPrograms;
        if (this.#hasWalked || this.#walk !== undefined) this.#cameLater.add(path);
        return true;
    }

    files(): Iterable<ProgramFile> {
        return this.#byName.values();
    }

    file(name: string): ProgramFile | undefined {
        const file = this.#byName.get(name);
        return file === undefined || this.#isOther(file.path, file) ? undefined : file;
    }

    get noticed(): number {
        return this.#noticed;
    }

    named(name: string): readonly Module[] | undefined {
        if (!this.#hasWalked && this.#walk === undefined) this.walk();
        if (!this.#hasWalked) return undefined;
        const named = this.#current().byName.get(name) ?? [];
        return named.some(module => this.#byName.get(module.file)?.module === module && this.file(module.file) === undefined)
            ? undefined
            : named;
    }

    names(): Iterable<string> {
        return this.#current().byName.keys();
    }

    /** Returns the modules that the host holds, and the files that it does not hold. */
    #current(): Modules {
        const version = `${this.#host.version} ${this.#version}`;
        if (this.#modules?.version === version) return this.#modules;
        const byPath = new Map(Array.from(this.#byName.values(), ({ path, module }) => [path, module]));
        for (const module of this.#host.held()) byPath.set(this.#host.pathOf(module.file) ?? module.file, module);
        const byName = new Map<string, Module[]>();
        for (const module of byPath.values()) {
            const { own } = moduleNames(module.clauses);
            if (own !== undefined) append(byName, own, module);
        }
        this.#modules = { version, byPath, byName };
        return this.#modules;
    }

    candidates(name: string, from: string): readonly string[] {
        if (name.trim() === '') return [];
        if (forbiddenForm(name, flavourOf(process.platform)) !== undefined) return [name];
        const own = this.#host.pathOf(from);
        const folders = [...(own === undefined ? [] : [dirname(own), ...(this.#host.searched?.(own) ?? [])]), ...this.#host.roots()];
        return withExtensions([...new Set(folders.map(folder => resolve(folder, name)))]);
    }

    shown(path: string): string {
        return this.#host.shown(path);
    }

    get isPartial(): boolean {
        return this.#isPartial;
    }

    shownFile(file: string): string {
        const path = this.#host.pathOf(file);
        return path === undefined ? file : this.#host.shown(path);
    }

    at(path: string): FileAt {
        const reason = forbiddenForm(path, flavourOf(process.platform));
        if (reason !== undefined) return { kind: 'refused', reason: say`'${path}' is not read: ${reason}` };
        const current = this.#current().byPath.get(path);
        const known = this.#known.get(path);
        const read = known !== undefined && 'module' in known ? known.module : known;
        if (current !== undefined && current !== read) return current;
        if (known === undefined) {
            this.#waiting.add(path);
            this.#host.wanted?.();
        }
        return known === undefined || this.#isOther(path, known) ? undefined : read;
    }

    /** Whether a file is other on the disk than it was read, as far as that shows without reading it. If so, it is read at a later step. */
    #isOther(path: string, known: ProgramFile | NoProgram): boolean {
        if (this.#host.isLive !== true) return false;
        const compared = this.#compared.get(path);
        if (compared !== undefined) return compared;
        if (this.#compared.size === 0) queueMicrotask(() => this.#compared.clear());
        const size = sizeOf(path);
        const isOther = 'module' in known ? size !== known.size : known.kind === 'absent' && size !== undefined;
        this.#compared.set(path, isOther);
        if (!isOther) return false;
        this.#noticed++;
        this.#waiting.add(path);
        if (size === undefined) this.#lookForNew();
        this.#host.wanted?.();
        return true;
    }

    #isRead(path: string): boolean {
        const known = this.#known.get(path);
        return known !== undefined && 'module' in known;
    }

    #put(path: string, found: ProgramFile | NoProgram): void {
        this.#version++;
        this.#compared.delete(path);
        const before = this.#known.get(path);
        for (let folder = dirname(path); before === undefined && !this.#folders.has(folder); folder = dirname(folder))
            this.#folders.add(folder);
        if (before !== undefined && 'module' in before) {
            this.#byName.delete(before.module.file);
            this.#length -= before.text.length;
        }
        const isSame = before !== undefined && 'module' in before && 'module' in found && before.text === found.text;
        const kept = isSame ? before : found;
        this.#known.set(path, kept);
        if (!('module' in kept)) return;
        this.#byName.set(kept.module.file, kept);
        this.#length += kept.text.length;
    }

    #read(path: string): ProgramFile | NoProgram {
        try {
            const context = accessContext(this.#host.grants());
            const shown = this.#host.shown(path);
            const bytes = openGranted({ base: dirname(path), parts: [basename(path)], shown }, context);
            try {
                if (bytes.size > this.#host.largest()) return { kind: 'refused', reason: say`'${shown}' is too large for a module` };
                const known = this.#host.known?.get(path);
                if (known?.size === bytes.size) return known;
                const text = programText(path, readText(bytes, shown).text);
                const { value, problems } = readProgram(text, this.#host.nameOf(path));
                const file = { path, size: bytes.size, text, module: { file: value.file, clauses: value.clauses, problems } };
                this.#host.known?.set(path, file);
                return file;
            } finally {
                bytes.close();
            }
        } catch (error) {
            if (!(error instanceof RunStopped)) throw error;
            if (error.report.code === 'RT064' && sizeOf(path) === undefined) return { kind: 'absent' };
            return { kind: 'refused', reason: error.message };
        }
    }
}

/** Returns the size of a file in bytes; undefined if there is none. */
function sizeOf(path: string): number | undefined {
    try {
        const status = fs.statSync(path, { throwIfNoEntry: false });
        return status?.isFile() === true ? status.size : undefined;
    } catch {
        return undefined;
    }
}

function isFolder(path: string): boolean {
    try {
        return fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
    } catch {
        return false;
    }
}
