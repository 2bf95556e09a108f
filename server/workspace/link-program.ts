import { findModules } from '#language/modules/find-module.ts';
import { withModules } from '#language/modules/include.ts';
import type { Program } from '#language/program/program.ts';
import type { ProgramIndex } from './program-index.ts';

/** The program with its modules, once all that may be one of them has been read. */
export function linkProgram(program: Program, index: ProgramIndex): Program {
    for (;;) {
        const linked = withModules(program, findModules(index));
        if (!index.step()) return linked;
        while (index.step());
    }
}
