import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds of each test file that takes some, which `npm test -- --write-durations` notes. */
const DURATIONS: Record<string, number> = JSON.parse(readFileSync(new URL('../durations.json', import.meta.url), 'utf8'));

/** Projects in the order of the configuration, and in each the files that take long first: one that begins last leaves a processor idle. */
export default class LongFirst extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
        const secondsOf = ({ moduleId, project }: TestSpecification): number => DURATIONS[relative(project.config.root, moduleId)] ?? 0;
        const placeOf = ({ project }: TestSpecification): number => project.vitest.projects.indexOf(project);
        return [...specifications].sort(
            (one, other) =>
                one.project.config.sequence.groupOrder - other.project.config.sequence.groupOrder ||
                placeOf(one) - placeOf(other) ||
                secondsOf(other) - secondsOf(one) ||
                one.moduleId.localeCompare(other.moduleId),
        );
    }
}
