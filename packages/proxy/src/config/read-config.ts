import { readFileSync } from 'node:fs'
import { IsothermError, type IsothermOptions } from 'isotherm'
import * as v from 'valibot'
import { ProxyError } from '../errors/proxy-error.js'
import { type ConfigFile, parseConfigFile } from './config-file.js'
import { fileSchema } from './file-schema.js'
import { type Locate, libraryTables } from './library-tables.js'
import { ruleOf } from './option-schemas.js'
import type { ProxyConfig } from './proxy-config.js'
import { shards, suffix } from './shard-schemas.js'

/** A configuration that was read and checked. */
export interface ReadConfig {
  readonly config: ProxyConfig
  /** The tables of the file, as the library takes them. */
  readonly tables: IsothermOptions['tables']
  /** An error of the library about these options, with the line of the option that it names. */
  explain(error: unknown): unknown
}

/**
 * Reads a configuration, such as `isotherm.yaml`.
 *
 * @throws ProxyError `config.unreadable`, `config.syntax` or `config.invalid`, which name the file, the line, the value, the
 * rule and the cure
 * @example const { config, tables } = readConfig('isotherm.yaml')
 */
export function readConfig(file: string): ReadConfig {
  return parseConfig(file, readText(file))
}

/** @throws ProxyError `config.syntax` or `config.invalid` */
export function parseConfig(name: string, source: string): ReadConfig {
  const file = parseConfigFile(name, source)
  const parsed = v.safeParse(fileSchema, file.value)
  if (!parsed.success) throw schemaProblem(file, parsed.issues)
  const explain = (error: unknown, base: readonly PropertyKey[] = []) =>
    error instanceof IsothermError ? libraryProblem(file, error, base) : error
  const at: Locate = (path, convert) => {
    try {
      return convert()
    } catch (error) {
      throw explain(error, path)
    }
  }
  const { $schema, tables, ...config } = parsed.output
  return { config, tables: libraryTables(tables, at), explain }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    const message = `The configuration ${file} cannot be read (${code}). Check its name and permissions.`
    throw new ProxyError('config.unreadable', message, { file }, cause)
  }
}

function schemaProblem(file: ConfigFile, issues: readonly [Issue, ...Issue[]]): ProxyError {
  const first = misspelling(file.value, issues) ?? issues[0]
  const { path, issue } = deepest({ path: pathIn(first), issue: first })
  const name = path.length === 0 ? 'The configuration' : path.join('.')
  if (issue.expected === 'never') {
    return file.problem(path, `${name} is not an option of this version; ${issue.message}.`)
  }
  const value = valueAt(file.value, path)
  const state = value === undefined ? 'is missing' : `is ${shown(value)}`
  return file.problem(path, `${name} ${state}; it must be ${issue.message}.`)
}

/** An unknown option of the object in which the first issue is that another one is missing: most likely it is that one. */
function misspelling(value: unknown, [first, ...others]: readonly [Issue, ...Issue[]]): Issue | undefined {
  const path = pathIn(first)
  if (valueAt(value, path) !== undefined) return undefined
  const object = path.slice(0, -1).join('.')
  return others.find((each) => each.expected === 'never' && pathIn(each).slice(0, -1).join('.') === object)
}

type Issue = v.BaseIssue<unknown>

/** An issue, and the whole path of its value. The issues within another one have the rest of it. */
interface PlacedIssue {
  readonly path: readonly string[]
  readonly issue: Issue
}

/**
 * Of a value that may have several forms, the error of the form that it nearly has is more useful than a list of all forms.
 */
function deepest(placed: PlacedIssue): PlacedIssue {
  const { path, issue } = placed
  const [nearest] = (issue.issues ?? [])
    .filter(({ path: inner }) => inner !== undefined)
    .sort((one, other) => pathIn(other).length - pathIn(one).length || rank(one) - rank(other))
  return nearest === undefined ? placed : deepest({ path: [...path, ...pathIn(nearest)], issue: nearest })
}

/** A value that is there, and wrong, says which form is meant. The other forms lack a member, or do not know this one. */
function rank({ expected, input }: Issue): number {
  return expected === 'never' || input === undefined ? 1 : 0
}

function pathIn({ path }: Issue): readonly string[] {
  return path?.map(({ key }) => String(key)) ?? []
}

/** The library's sentence, with the path of the option in the file. */
function libraryProblem(file: ConfigFile, error: IsothermError, base: readonly PropertyKey[]): ProxyError {
  const { option } = error.details as { readonly option?: string }
  const path: readonly PropertyKey[] = base.length > 0 ? base : pathOf(file.value, option ?? '')
  const where = base.length > 0 ? `${base.join('.')}: ` : ''
  const rule = base.length > 0 ? undefined : RULES.get(String(path.at(-1)))
  if (rule !== undefined && valueAt(file.value, path) === undefined) {
    return file.problem(path, `${path.join('.')} is missing; it must be ${rule}.`, error)
  }
  const message = error.message.replace(/^options\./, '').replace(' is undefined; ', ' is missing; ')
  return file.problem(path, `${where}${message}`, error)
}

/** The library names functions, which a file cannot have. */
const RULES: ReadonlyMap<string, string> = new Map([
  ['shards', ruleOf(shards)],
  ['suffix', ruleOf(suffix)],
])

/** The path of an option such as `options.tables.audit_log.suffix`. Names of tables may contain dots. */
function pathOf(value: unknown, option: string): readonly string[] {
  const [, member = '', rest = ''] = /^options\.(\w+)\.?(.*)$/.exec(option) ?? []
  if (member !== 'tables') return member === '' ? [] : [member, ...rest.split('.')]
  const tables = Object.keys(Object(Object(value).tables))
  const table = tables
    .filter((name) => rest === name || rest.startsWith(`${name}.`))
    .sort((one, other) => other.length - one.length)[0]
  if (table === undefined) return ['tables']
  const inner = rest.slice(table.length + 1)
  return ['tables', table, ...(inner === '' ? [] : inner.split('.'))]
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value
  for (const member of path) current = Object(current)[member]
  return current
}

function shown(value: unknown): string {
  // JSON has no infinity.
  const json = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value))
  return json.length > 100 ? `${json.slice(0, 100)}...` : json
}
