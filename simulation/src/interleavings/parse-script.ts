import { durationOf } from './duration.js'
import { actionOf } from './parse-action.js'
import { RULE_VERBS, type RuleVerb, requestRuleOf } from './request-rule.js'
import type { Options, Script, ScriptTable, Statement, StepRule } from './script.js'
import { ScriptError } from './script-error.js'
import { serviceActionOf } from './service-action.js'
import { scriptTable } from './table-options.js'
import { tokensOf } from './tokens.js'

interface Line {
  readonly number: number
  readonly isIndented: boolean
  readonly text: string
}

/** The tests of a file: one for each `case`, or one, each repeated for every value of an `each`. @throws ScriptError */
export function parseScripts(file: string, text: string): readonly Script[] {
  const lines = linesOf(text)
  const begins = lines.flatMap(({ text: line }, index) => (line.startsWith('case:') ? [index] : []))
  const shared = lines.slice(0, begins[0] ?? lines.length)
  const cases =
    begins.length === 0 ? [[]] : begins.map((begin, index) => lines.slice(begin, begins[index + 1]))
  return cases.flatMap((own) => {
    const [head, ...rest] = own
    const title = head?.text.slice('case:'.length).trim() ?? ''
    return variantsOf(file, [...shared, ...rest]).map(({ lines: variant, name }) =>
      new ScriptParser(file).parse([title, name].filter((part) => part !== '').join(', '), variant),
    )
  })
}

function linesOf(text: string): readonly Line[] {
  return text.split('\n').flatMap((line, index) => {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) return []
    return [{ number: index + 1, isIndented: /^\s/.test(line), text: trimmed }]
  })
}

const EACH = /^each ([\w, ]+): (.+)$/

/** The lines for each value of each line `each suffix: random | calculated`, with `$suffix` replaced; several names have several values. */
function variantsOf(
  file: string,
  lines: readonly Line[],
): readonly { readonly lines: readonly Line[]; readonly name: string }[] {
  const index = lines.findIndex(({ text }) => text.startsWith('each '))
  const each = lines[index]
  if (each === undefined) return [{ lines, name: '' }]
  const [, head, values] = EACH.exec(each.text) ?? []
  if (head === undefined || values === undefined) {
    throw new ScriptError({ file, line: each.number }, 'write it as "each suffix: random | calculated"')
  }
  const names = head.split(/,\s*/)
  const others = lines.toSpliced(index, 1)
  return values.split('|').flatMap((together) => {
    const own = (names.length === 1 ? [together] : together.split(',')).map((value) => value.trim())
    const replaced = others.map((line) => ({
      ...line,
      text: names.reduce((text, name, at) => text.replaceAll(`$${name}`, own[at] ?? ''), line.text),
    }))
    return variantsOf(file, replaced).map((variant) => ({
      lines: variant.lines,
      name: [own[0], variant.name].filter((part) => part !== '').join(', '),
    }))
  })
}

class ScriptParser {
  readonly #file: string
  readonly #tables = new Map<string, ScriptTable>()
  readonly #processes = new Set<string>()
  readonly #always: { line: number; rule: string }[] = []
  readonly #statements: Statement[] = []
  #settings: Options = new Map()

  constructor(file: string) {
    this.#file = file
  }

  parse(title: string, lines: readonly Line[]): Script {
    for (const [index, line] of lines.entries()) {
      if (line.isIndented) continue
      const end = lines.findIndex((next, at) => at > index && !next.isIndented)
      this.#at(line, () => this.#statement(line, lines.slice(index + 1, end === -1 ? undefined : end)))
    }
    const [first] = lines
    if (this.#tables.size === 0)
      throw this.#error(first?.number ?? 1, 'declare a table first: "table log: random"')
    return {
      file: this.#file,
      title,
      tables: this.#tables,
      settings: this.#settings,
      always: this.#always,
      statements: this.#statements,
    }
  }

  #statement({ number: line, text }: Line, below: readonly Line[]): void {
    const [, time, statement = ''] = /^(?:(\d[\d.]*(?:ms|s|m))\s+)?(.*)$/.exec(text) ?? []
    const at = time === undefined ? undefined : durationOf(time)
    const colon = statement.indexOf(':')
    const head = (colon < 0 ? statement : statement.slice(0, colon)).split(/\s+/)
    const rest = colon < 0 ? '' : statement.slice(colon + 1).trim()
    const [first = '', ...others] = head
    const [begins, label, ...more] = others
    const isStep =
      this.#processes.has(first) &&
      colon >= 0 &&
      (begins === undefined || begins === 'begins') &&
      more.length === 0
    if (below.length > 0 && !isStep) {
      throw this.#error(below[0]?.number ?? line, 'only a step of a process has lines below it')
    }
    if (isStep) {
      this.#statements.push({
        kind: 'step',
        line,
        at,
        process: first,
        begins: begins !== undefined || at !== undefined,
        label,
        action: actionOf(rest, this.#tables),
        rules: below.map((each) => this.#rule(each)),
      })
      return
    }
    switch (first) {
      case 'table': {
        const table = scriptTable(others.join(' '), optionsOf(rest))
        this.#tables.set(table.name, table)
        return
      }
      case 'settings':
        this.#settings = optionsOf(rest)
        return
      case 'always':
        this.#always.push({ line, rule: rest })
        return
      case 'process': {
        const names = others.join(' ').split(/\s*,\s*/)
        for (const name of names) this.#processes.add(name)
        this.#statements.push({ kind: 'process', line, at, names, options: optionsOf(rest) })
        return
      }
      case 'service':
        this.#statements.push({ kind: 'service', line, at, action: serviceActionOf(rest, this.#tables) })
        return
      case 'expect':
        this.#statements.push({ kind: 'expect', line, at, subject: others, text: rest })
        return
      case 'at':
      case 'wait': {
        const milliseconds = durationOf(others.join(' '))
        const isAt = first === 'at'
        this.#statements.push({
          kind: 'wait',
          line,
          at: isAt ? milliseconds : at,
          milliseconds: isAt ? 0 : milliseconds,
        })
        return
      }
      default:
        throw new Error(
          `there is no process ${first}; declare it in a line "process ${first}", or begin the line with table, settings, each, always, process, service, expect, at or wait`,
        )
    }
  }

  #rule({ number: line, text }: Line): StepRule {
    return this.#at({ number: line }, () => {
      const [word, ...tokens] = tokensOf(text)
      const verb = word?.text ?? ''
      if (!RULE_VERBS.includes(verb)) throw new Error(`below a step stand rules: ${RULE_VERBS.join(', ')}`)
      return { line, rule: requestRuleOf(verb as RuleVerb, tokens) }
    })
  }

  #at<T>({ number }: Pick<Line, 'number'>, work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof ScriptError || !(error instanceof Error)) throw error
      throw this.#error(number, error.message, error)
    }
  }

  #error(line: number, reason: string, cause?: Error): ScriptError {
    return new ScriptError({ file: this.#file, line }, reason, { cause })
  }
}

/** `cacheTtl 2s, quiet off`: each with the words behind its name. */
function optionsOf(text: string): Options {
  const parts = text === '' ? [] : text.split(/\s*,\s*/)
  return new Map(
    parts.map((part) => {
      const [name = '', ...words] = part.split(/\s+/)
      return [name, words]
    }),
  )
}
