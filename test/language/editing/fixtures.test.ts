import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeFixtures } from '../../support/marker-fixture.ts';
import { EDITING_MARKERS } from './editing-markers.ts';

describeFixtures(dirname(fileURLToPath(import.meta.url)), EDITING_MARKERS);
