import { relative } from 'node:path'
import { buildSync } from 'esbuild'

/** The folder of joined files in a published package. */
const FOLDER = 'dist/node'

/**
 * Joins the modules of a package's entries, with the workspace's own packages that they import, into one file for each
 * entry and one for what entries share. Nothing is minified, so that stack traces can be read.
 *
 * @param {string} source the package's folder
 * @param {{ exports: Record<string, { default: string }>, peerDependencies?: object }} manifest
 * @returns {{ path: string, text: string }[]} paths in the package
 */
export function joinedForNode(source, { exports, peerDependencies = {} }) {
  const { outputFiles } = buildSync({
    entryPoints: Object.values(exports).map((entry) => entry.default),
    absWorkingDir: source,
    outbase: 'dist',
    outdir: FOLDER,
    chunkNames: 'shared-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: Object.keys(peerDependencies),
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles.map(({ path, text }) => ({ path: relative(source, path).replaceAll('\\', '/'), text }))
}

/**
 * The manifest with the joined files for Node. Bundlers get the modules, because they leave out unused ones: they know
 * the condition `module`, which Node does not.
 */
export function withJoinedEntries(manifest) {
  const exports = Object.entries(manifest.exports).map(([entry, { types, default: module }]) => [
    entry,
    { types, module, default: module.replace('dist', FOLDER) },
  ])
  return { ...manifest, exports: Object.fromEntries(exports) }
}
