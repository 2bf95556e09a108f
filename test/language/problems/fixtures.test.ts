import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeFixtures } from '../../support/marker-fixture.ts';

describeFixtures(dirname(fileURLToPath(import.meta.url)));
