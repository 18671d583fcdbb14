import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ENTRIES } from '../site/entries.js'
import type { PageExample } from './page-examples.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Names that examples use besides those of the public entries, by the module that exports them. */
const OTHER_MODULES: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/client-cloudwatch': ['CloudWatchClient'],
  '@aws-sdk/client-dynamodb': ['CreateTableCommand', 'DynamoDBClient', 'ListTablesCommand'],
  '@aws-sdk/client-dynamodb-streams': ['DynamoDBStreamsClient'],
  '@aws-sdk/client-s3': ['S3Client'],
  '@aws-sdk/lib-dynamodb': ['DynamoDBDocumentClient', 'GetCommand', 'PutCommand'],
  '@isotherm/advisor/sizing': ['oneKeyShards'],
  'node:child_process': ['spawn'],
}

/** What stands for an object or a function of the reader's application, with its type. */
const OF_THE_READER: Readonly<Record<string, string>> = {
  client: "import('@aws-sdk/client-dynamodb').DynamoDBClient",
  clock: "import('@isotherm/runtime').Clock",
  command: "import('@aws-sdk/client-dynamodb').PutItemCommand",
  config: 'any',
  createClient: '(...options: any[]) => any',
  db: "ReturnType<typeof import('isotherm').isotherm<import('@aws-sdk/client-dynamodb').DynamoDBClient>>",
  definition: "import('isotherm/search').DirectoryDefinition<any, any>",
  event: 'any',
  file: 'any',
  from: 'number',
  hash: '(...values: any[]) => any',
  local: "import('@isotherm/local').Local",
  makeOneStep: '() => boolean',
  meanUnits: '(...values: any[]) => Promise<number>',
  readTables: '() => any',
  redis: 'any',
  tables: 'any',
  to: 'number',
}

/** Options that an example leaves out: `{ ... }`. */
const ELIDED = /\.\.\.(?=\s*[,})\]])/g

/** An example of options begins with the name of one. */
const MEMBERS = /^\s*\w+: /

/** A name that a module exports. */
interface Exported {
  readonly name: string
  readonly isType: boolean
}

interface Module {
  readonly module: string
  readonly exports: readonly Exported[]
}

/** The `@example` blocks of the files from which the public entries export, ready to be compiled. */
export function symbolExamples(): readonly PageExample[] {
  const seen = new Set<string>()
  const entries = Object.entries(ENTRIES).map(([entry, module]) => ({ module, ...exportsOf(entry) }))
  const others = Object.entries(OTHER_MODULES).map(([module, names]) => ({
    module,
    exports: names.map((name) => ({ name, isType: false })),
  }))
  return entries.flatMap((entry) =>
    entry.files.flatMap((page) => {
      if (seen.has(page)) return []
      seen.add(page)
      const modules = [entry, ...entries, ...others]
      return examplesIn(page).map(({ line, code }) => ({ page, line, code: withContext(code, modules) }))
    }),
  )
}

const EXPORT_FROM = /^export (type )?(\*|\{[^}]*\}) from '(\.[^']*)'/gms
const DECLARED = /^export (?:abstract |async |declare )*(class|const|function\*?|interface|type) (\w+)/gm

/**
 * @param file its path from the root of the project
 * @returns what it exports, and the files that this is from
 */
function exportsOf(file: string): {
  readonly files: readonly string[]
  readonly exports: readonly Exported[]
} {
  const text = readFileSync(join(root, file), 'utf8')
  const files = [file]
  const exports = Array.from(text.matchAll(DECLARED), ([, kind = '', name = '']) => ({
    name,
    isType: kind === 'interface' || kind === 'type',
  }))
  for (const [, type, list = '', from = ''] of text.matchAll(EXPORT_FROM)) {
    const inner = exportsOf(join(dirname(file), from.replace(/\.js$/, '.ts')))
    files.push(...inner.files)
    if (list === '*') exports.push(...inner.exports)
    for (const [, own, name = ''] of list.matchAll(/(type )?(\w+)\s*(?=[,}])/g))
      exports.push({ name, isType: (type ?? own) !== undefined })
  }
  return { files, exports }
}

/** @param file its path from the root of the project */
function examplesIn(file: string): readonly { readonly line: number; readonly code: string }[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/@example(?<code>.*?)(?=^\s*\* @\w|\*\/)/gms)].map(({ index, groups }) => ({
    line: text.slice(0, index).split('\n').length,
    code: (groups?.code ?? '').replaceAll(/^\s*\* ?/gm, '').replaceAll(/^```\w*$/gm, ''),
  }))
}

/** The names on the left of a declaration: one, or those in brackets. */
const DECLARATION = /\b(?:const|let|using|function|class)\s+(\w+|\{[^}]*\}|\[[^\]]*\])/g

/**
 * The example with imports of the names that it uses, and declarations of what belongs to the reader.
 *
 * @param modules the first one that exports a name is imported
 */
function withContext(code: string, modules: readonly Module[]): string {
  const known = new Set(Array.from(code.matchAll(DECLARATION), ([, left = '']) => left.split(/\W+/)).flat())
  const imported = Array.from(code.matchAll(/^import .*$/gm)).join('\n')
  // Not a member, unless it is spread, and not the name of one.
  const isFree = (name: string) =>
    !known.has(name) &&
    !imported.includes(name) &&
    new RegExp(`(?<!(?<!\\.\\.)\\.|[\\w'])${name}\\b(?!\\s*:)`).test(code)
  const imports = modules.flatMap(({ module, exports }) => {
    const used = exports.filter(({ name }) => {
      const isUsed = isFree(name)
      if (isUsed) known.add(name)
      return isUsed
    })
    const names = used.map(({ name, isType }) => (isType ? `type ${name}` : name))
    return names.length === 0 ? [] : [`import { ${names.join(', ')} } from '${module}';`]
  })
  const own = Object.entries(OF_THE_READER).flatMap(([name, type]) =>
    isFree(name) ? [`declare const ${name}: ${type};`] : [],
  )
  // One line, so that the compiler's lines are those of the example.
  const head = [...imports, ...own, 'declare const elided: any;'].join(' ')
  const whole = code.replaceAll(ELIDED, '...elided')
  if (!MEMBERS.test(whole)) return `${head} ${whole}`
  return `${head} const options: Partial<import('isotherm').IsothermOptions> = {${whole}}`
}
