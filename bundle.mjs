// The program as few files: Node takes longer to find and read several hundred small modules than to run them. What
// imports trailseal as a library gets the plain modules that `tsc` writes beside it.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';

const MAIN = 'src/main.ts';
const READING_THREAD = 'src/source/reading-thread.ts';

/** Modules that cost every start more than they give this program, by name; what is put in their place. */
const LIGHTER = {
  // V8 takes 40 ms for its patterns of emoji. Only yargs measures texts, to lay out its help, which has none.
  'string-width': `import { stripVTControlCharacters } from 'node:util';
    export default (text) => stripVTControlCharacters(text).length;`,
  // To answer who imports it, Node looks at all of its own options: 10 ms. The SDK wants these two names of it.
  'node:process': 'export const { env, versions } = globalThis.process;',
};

/** Before the name of what is put there; no file is called so. */
const LIGHT = '\0light:';

/**
 * The files of what every run over a bucket needs, since Node takes half a millisecond for each: what is imported from
 * there on and is in none of the files before, apart from what is imported only when it is needed. `whole`: that as well.
 */
const FILES = [
  { name: 'reading', from: [READING_THREAD], whole: true },
  { name: 'main', from: [MAIN] },
  { name: 'verify', from: ['src/commands/verify.ts', 'src/commands/verify-plan.ts', 'src/report/text.ts'] },
  { name: 's3', from: ['src/commands/verify-s3.ts', 'src/source/s3.ts', 'src/source/s3/lean-page.ts'] },
];

const files = groups(FILES);
// Not its command line, which lists every file it writes.
await build({
  input: { trailseal: MAIN, 'reading-thread': READING_THREAD },
  platform: 'node',
  resolve: { mainFields: ['module', 'main'] },
  // Some of it is imported by what lies in the same file.
  checks: { ineffectiveDynamicImport: false },
  plugins: [lighter(), files.plugin, licences()],
  output: {
    dir: 'dist',
    cleanDir: true,
    codeSplitting: { groups: files.groups },
    format: 'esm',
    // Names stay, so that a stack trace in a bug report says something.
    minify: { compress: true, codegen: true, mangle: false },
  },
});

function lighter() {
  return {
    name: 'lighter',
    resolveId: (id) => (Object.hasOwn(LIGHTER, id) ? `${LIGHT}${id}` : null),
    load: (id) => (id.startsWith(LIGHT) ? LIGHTER[id.slice(LIGHT.length)] : null),
  };
}

/** The file of each module is known once all are parsed. */
function groups(files) {
  const fileOf = new Map();
  return {
    groups: files.map(({ name }, n) => ({
      name,
      test: (id) => fileOf.get(id) === name,
      // A file takes what its modules import with it, wherever else that is needed, unless one before wants it.
      priority: files.length - n,
    })),
    plugin: {
      name: 'groups',
      buildEnd() {
        const put = (id, name, whole) => {
          if (fileOf.has(id)) return;
          const module = this.getModuleInfo(id);
          if (module === null) throw new Error(`there is no ${id}, where the file of ${name} begins`);
          // Whoever imported the file of an entry would run it.
          fileOf.set(id, module.isEntry ? null : name);
          for (const next of module.importedIds) put(next, name, whole);
          if (whole) for (const next of module.dynamicallyImportedIds) put(next, name, whole);
        };
        for (const { name, from, whole = false } of files) for (const root of from) put(resolve(root), name, whole);
      },
    },
  };
}

/** Whose code is in these files, and its terms, which travel with it. */
function licences() {
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []));
      const source = [...packages].sort().map(termsOf).join('\n\n');
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source });
    },
  };
}

function termsOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
  return `${name} ${version} (${license})\n\n${text}`;
}
