import { readFileSync } from 'node:fs'
import { IsothermError, type IsothermOptions } from 'isotherm'
import type { z } from 'zod'
import { ProxyError } from '../errors/proxy-error.js'
import { type ConfigFile, parseConfigFile } from './config-file.js'
import { type Locate, libraryTables } from './library-tables.js'
import { type ProxyConfig, proxyConfig } from './proxy-config.js'

/** A configuration that was read and checked. */
export interface ReadConfig {
  readonly config: ProxyConfig
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
  const parsed = proxyConfig.safeParse(file.value)
  if (!parsed.success) throw schemaProblem(file, parsed.error)
  const explain = (error: unknown, base: readonly PropertyKey[] = []) =>
    error instanceof IsothermError ? libraryProblem(file, error, base) : error
  const at: Locate = (path, convert) => {
    try {
      return convert()
    } catch (error) {
      throw explain(error, path)
    }
  }
  return { config: parsed.data, tables: libraryTables(parsed.data.tables, at), explain }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new ProxyError(
      'config.unreadable',
      `The configuration ${file} cannot be read (${code}).`,
      { file },
      cause,
    )
  }
}

function schemaProblem(file: ConfigFile, { issues }: z.ZodError): ProxyError {
  const issue = deepest(issues)
  if (issue.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys
    const path = [...issue.path, unknown]
    return file.problem(path, `${path.join('.')} is not an option of this version; ${issue.message}.`)
  }
  const value = valueAt(file.value, issue.path)
  const name = issue.path.length === 0 ? 'The configuration' : issue.path.join('.')
  const state = value === undefined ? 'is missing' : `is ${shown(value)}`
  return file.problem(issue.path, `${name} ${state}; it must be ${issue.message}.`)
}

/**
 * Of a value that may have several forms, the error of the form that it nearly has is more useful than a list of all forms.
 */
function deepest(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const [first] = issues
  if (first === undefined) throw new TypeError('A refused configuration has no issue.')
  if (first.code !== 'invalid_union') return first
  const forms = first.errors.map((form) =>
    [...form].sort((one, other) => other.path.length - one.path.length),
  )
  const nearest = forms
    .flatMap((form) => (form[0] === undefined ? [] : [form[0]]))
    .sort((one, other) => other.path.length - one.path.length)[0]
  if (nearest === undefined || nearest.path.length === 0) return first
  const inner = deepest([nearest])
  return { ...inner, path: [...first.path, ...inner.path] }
}

/** The library's sentence, with the path of the option in the file. */
function libraryProblem(file: ConfigFile, error: IsothermError, base: readonly PropertyKey[]): ProxyError {
  const { option } = error.details as { readonly option?: string }
  const path = base.length > 0 ? base : pathOf(file.value, option ?? '')
  const where = base.length > 0 ? `${base.join('.')}: ` : ''
  return file.problem(path, `${where}${error.message.replace(/^options\./, '')}`, error)
}

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
  const json = JSON.stringify(value) ?? String(value)
  return json.length > 100 ? `${json.slice(0, 100)}...` : json
}
