import { AdvisorError } from '../errors/advisor-error.js'
import { isPlainObject, listIn, objectIn, type Plain, textIn } from '../templates/plain.js'
import { TemplateDocument } from '../templates/template-document.js'
import { LEVELS, type Level } from './rule/rule.js'
import { RULES } from './rules.js'

/** What the linter ignores, and how it rates. */
export interface LintSettings {
  /** Rules that are not checked. */
  readonly ignore: readonly string[]
  /** Levels instead of the rules' own. */
  readonly levels: { readonly [rule: string]: Level }
  /** Rules that are not checked for tables whose name or resource matches; `*` stands for any text. */
  readonly tables: { readonly [name: string]: readonly string[] }
}

/** All rules with their own levels. */
export const NO_SETTINGS: LintSettings = { ignore: [], levels: {}, tables: {} }

const MEMBERS = new Set(['$schema', 'ignore', 'levels', 'tables'])

/**
 * Settings from a file, JSON or YAML.
 *
 * @throws AdvisorError `lint.settings`, which names the member and what it may be
 * @example
 * console.log(parseLintSettings('ignore: [uncapped-on-demand]', 'isotherm-lint.yaml').ignore) // ['uncapped-on-demand']
 */
export function parseLintSettings(text: string, file: string): LintSettings {
  const { value } = new TemplateDocument(text, file)
  if (!isPlainObject(value)) throw wrong(file, 'it must be an object with ignore, levels or tables')
  for (const member of Object.keys(value)) {
    if (!MEMBERS.has(member)) throw wrong(file, `it has '${member}'; it may have ignore, levels and tables`)
  }
  const levels = Object.entries(objectIn(value.levels)).map(([rule, given]) => {
    const level = LEVELS.find((each) => each === given)
    if (level === undefined)
      throw wrong(file, `the level of ${rule} is '${textIn(given) ?? ''}'; it must be error, warning or note`)
    return [knownRule(rule, file), level] as const
  })
  const tables = Object.entries(objectIn(value.tables)).map(([name, given]) => {
    return [name, rulesIn(isPlainObject(given) ? (given.ignore ?? null) : given, file)] as const
  })
  return {
    ignore: rulesIn(value.ignore ?? [], file),
    levels: Object.fromEntries(levels),
    tables: Object.fromEntries(tables),
  }
}

/** @throws AdvisorError `lint.settings` for a rule that does not exist */
export function knownRule(rule: string, origin: string): string {
  if (RULES.some(({ id }) => id === rule)) return rule
  throw wrong(
    origin,
    `it names the rule '${rule}', which does not exist; the rules are ${RULES.map(({ id }) => id).join(', ')}`,
  )
}

function rulesIn(given: Plain, file: string): readonly string[] {
  if (!Array.isArray(given)) throw wrong(file, 'ignore must be a list of rules')
  return listIn(given).map((rule) => knownRule(textIn(rule) ?? '', file))
}

function wrong(origin: string, rule: string): AdvisorError {
  return new AdvisorError('lint.settings', `The settings ${origin} are wrong: ${rule}.`)
}
