// node --import: lets the suite, which is made for Node 22, run on Node 20.
import fs from 'node:fs';
import { register } from 'node:module';

if (!fs.globSync) register('./fs_hook.mjs', import.meta.url);
