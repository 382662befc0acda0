// The program as few files: Node takes longer to find and read several hundred small modules than to run them. What
// imports trailseal as a library gets the plain modules that `tsc` writes beside it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

// Not its command line, which lists every file it writes.
await build({
  input: { trailseal: 'src/main.ts', 'reading-thread': 'src/source/reading-thread.ts' },
  platform: 'node',
  resolve: { mainFields: ['module', 'main'] },
  plugins: [licences()],
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'esm',
    // Names stay, so that a stack trace in a bug report says something.
    minify: { compress: true, codegen: true, mangle: false },
  },
});

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
