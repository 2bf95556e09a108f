import { test } from 'vitest';
import { randomPrograms } from '../../fuzz/random-programs.ts';
import { searched } from '../../fuzz/search.ts';

test('random programs mean what the reference evaluator says', () => searched(randomPrograms, 20_777, 7));
