import { test } from 'vitest';
import { compareExecutions } from '../support/compare-executions.ts';
import { conformancePrograms } from '../support/conformance.ts';

/** Of so many programs one; `conformance.slow.ts` takes all. */
const EACH = 5;

test('rules are executed as their plan says', () => compareExecutions(conformancePrograms().filter((_, index) => index % EACH === 0)));
