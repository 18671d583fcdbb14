import type { Finding, Level, Rule, TableDefinition } from '@isotherm/advisor'
import pc from 'picocolors'
import { printable } from '../terminal.js'
import { counted } from './figures.js'

const COLOURS: { readonly [level in Level]: (text: string) => string } = {
  error: pc.red,
  warning: pc.yellow,
  note: pc.cyan,
}
const WIDTH = 96

/** Findings by table, and a last line that counts them. */
export function lintText(
  findings: readonly Finding[],
  tables: readonly TableDefinition[],
  ignored: number,
  withCode: boolean,
): string {
  const ofPlace = new Map<unknown, Finding[]>()
  for (const finding of findings) {
    const own = ofPlace.get(finding.place)
    if (own === undefined) ofPlace.set(finding.place, [finding])
    else own.push(finding)
  }
  const sections = tables.flatMap((table) => {
    const own = ofPlace.get(table.place)
    if (own === undefined) return []
    return [[headingOf(table), ...own.map((finding) => findingText(finding, withCode))]]
  })
  const hint = !withCode && findings.some(({ cure }) => cure.code !== undefined)
  return [
    ...sections.flatMap((lines) => [...lines, '']),
    summary(findings, tables, ignored),
    ...(findings.length === 0
      ? []
      : [
          pc.dim(
            `isotherm lint --explain RULE explains a rule${hint ? '; --code prints the code of each cure' : ''}.`,
          ),
        ]),
  ].join('\n')
}

function headingOf({ name, place }: TableDefinition): string {
  const { file, firstLine, resource } = place
  const where =
    file === undefined ? '' : ` ${pc.dim(printable(firstLine === undefined ? file : `${file}:${firstLine}`))}`
  const called = resource === undefined || resource === name ? '' : ` (${printable(resource)})`
  return `${pc.bold(printable(name))}${called}${where}`
}

function findingText(
  { level, rule, subject, evidence, consequence, cure }: Finding,
  withCode: boolean,
): string {
  const code =
    withCode && cure.code !== undefined
      ? [
          '',
          ...cure.code
            .trimEnd()
            .split('\n')
            .map((line) => `      ${line}`),
          '',
        ]
      : []
  return [
    `  ${COLOURS[level](level)} ${pc.bold(rule)}: ${printable(subject)}`,
    ...wrapped(evidence),
    ...wrapped(consequence),
    ...wrapped(`Cure: ${cure.text}`),
    ...code,
  ].join('\n')
}

/** A sentence on lines that fit a terminal. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of printable(text).split(' ')) {
    if (line !== '' && line.length + word.length >= WIDTH) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((each) => `    ${each}`)
}

function summary(findings: readonly Finding[], tables: readonly TableDefinition[], ignored: number): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length
  const numbers = [
    counted(count('error'), 'error', 'errors'),
    counted(count('warning'), 'warning', 'warnings'),
    counted(count('note'), 'note', 'notes'),
  ]
  const text = `${numbers.join(', ')} in ${counted(tables.length, 'table', 'tables')}${ignored === 0 ? '' : `, ${ignored} ignored`}`
  return findings.length === 0 ? pc.green(text) : text
}

/** All that a rule's page says. */
export function ruleText({ id, level, title, why, sources }: Rule): string {
  return [
    `${pc.bold(id)} (${COLOURS[level](level)})`,
    `${title}.`,
    ...why.flatMap((paragraph) => ['', ...wrapped(paragraph).map((line) => line.slice(4))]),
    '',
    ...sources.map((source) => pc.dim(source)),
  ].join('\n')
}
