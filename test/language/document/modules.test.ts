import { test } from 'vitest';
import { moduleEdits } from '../../fuzz/module-edits.ts';
import { searched } from '../../fuzz/search.ts';

test("documents that include each other follow each other's changes", () => searched(moduleEdits, 1, 2));
