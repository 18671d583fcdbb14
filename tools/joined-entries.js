import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { build, transform } from 'esbuild'
import { licencesOf } from './licences.js'

/**
 * The value of a module that a call makes, such as `var cache = new RecentlyUsedMap(8)`. The manifest declares that modules
 * have no side effects, so the call has none either. A bundler believes the manifest only about whole files.
 */
const CALLED_VALUE = /^(var [\w$]+ = )(?=(?:new )?[\w$.]+\()/gm

/**
 * The comment of a member of a class. esbuild keeps these and drops all others. Editors show those of the declarations; here
 * they were 5 % of the tarball.
 */
const MEMBER_COMMENT = /^[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm

/** esbuild's comment with the path of a module of the project, where no such file is: 1 % of the tarball. Those of other projects stay. */
const MODULE_COMMENT = /^\/\/ (?:\.\.\/[\w-]+\/)?dist\/\S+\.js\n/gm

/** A file of the package that a module names by its place beside itself. */
const NAMED_FILE = /new URL\((['"])(\.{1,2}\/[^'"]+)\1, import\.meta\.url\)/g

/**
 * Joins the modules of a package's entries into one file for each entry and one for what entries share. Nothing is minified,
 * so that stack traces can be read. A bundler leaves out the statements of a file that an application does not use.
 *
 * A module that another names by its URL, such as the one of a thread, becomes an entry too.
 *
 * @param {string} source the package's folder
 * @param {{ exports: Record<string, { default: string }> }} manifest
 * @param {readonly string[]} external the packages that are not joined with it
 * @returns {Promise<{ files: { path: string, text: string }[], licences: string }>} paths in the package: those of the entries,
 * and shared files beside them; and the licences of the packages of others that are joined with it
 */
export async function joinedEntries(source, { exports }, external) {
  const output = join(source, 'dist')
  const entries = new Set(Object.values(exports).map((entry) => resolve(source, entry.default)))
  const { outputFiles, metafile } = await joined(entries, { source, output, external })
  const files = outputFiles.map(async ({ path, text }) => {
    if (text.search(NAMED_FILE) >= 0 && dirname(path) !== output) {
      throw new Error(
        `${path} names a file by its URL, and only files in ${output} can: move that entry there.`,
      )
    }
    return {
      path: relative(source, path).replaceAll('\\', '/'),
      text: await indentedByTabs(
        text
          .replace(MEMBER_COMMENT, '')
          .replace(MODULE_COMMENT, '')
          .replace(CALLED_VALUE, '$1/* @__PURE__ */ '),
      ),
    }
  })
  return { files: await Promise.all(files), licences: licencesOf(metafile, source) }
}

/**
 * esbuild indents by two spaces, which made the library's tarball larger by 1,600 bytes. A file keeps them if it has a text with lines that begin
 * with spaces.
 */
async function indentedByTabs(text) {
  const indented = text.replace(/^(?: {2})+/gm, (spaces) => '\t'.repeat(spaces.length / 2))
  const [before, after] = await Promise.all([text, indented].map(withoutSpaces))
  return before === after ? indented : text
}

async function withoutSpaces(text) {
  return (await transform(text, { minifyWhitespace: true })).code
}

async function joined(entries, { source, output, external }) {
  const known = entries.size
  const result = await build({
    entryPoints: [...entries],
    absWorkingDir: source,
    outbase: 'dist',
    outdir: 'dist',
    // An entry has the path of the module that it is made of. Nothing is written here.
    allowOverwrite: true,
    chunkNames: 'shared-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: [...external],
    // The licences are in a file beside the code.
    legalComments: 'none',
    metafile: true,
    plugins: [namedFiles(output, (module) => entries.add(module))],
    write: false,
    logLevel: 'silent',
  })
  return entries.size === known ? result : joined(entries, { source, output, external })
}

/**
 * The code of a module moves to a file directly in the output, so there it names files as seen from the output.
 *
 * @param {(module: string) => void} onModule called for each named file that is code
 */
function namedFiles(output, onModule) {
  return {
    name: 'named-files',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        if (text.search(NAMED_FILE) < 0) return undefined
        const contents = text.replace(NAMED_FILE, (_, quote, name) => {
          const file = resolve(dirname(path), name)
          if (file.startsWith(output) && file.endsWith('.js')) onModule(file)
          const place = relative(output, file).replaceAll('\\', '/')
          const fromOutput = place.startsWith('.') ? place : `./${place}`
          // A folder's URL ends with a slash.
          return `new URL(${quote}${fromOutput}${name.endsWith('/') ? '/' : ''}${quote}, import.meta.url)`
        })
        return { contents, loader: 'js' }
      })
    },
  }
}
