import { CommandError } from '../command-error.js'
import { MarkedSection } from '../commands/marked-section.js'
import { runCommand } from '../commands/run-command.js'
import { explore } from './explore.js'
import { PROTOCOL, type Protocol } from './protocol.js'
import { QUESTIONS } from './questions.js'

// Tries everything that can happen in each small case, and each rule left out in turn; with --write FILE puts the tables
// into a document, between its markers.

const RULES = Object.keys(PROTOCOL) as (keyof Protocol)[]

await runCommand('model', () => {
  const section = sectionOf(process.argv.slice(2))
  const cases = triedCases()
  const rules = triedRules()
  section?.write([...cases.lines, '', ...rules.lines])
  return cases.isBroken || rules.isBroken ? 1 : 0
})

function sectionOf(args: readonly string[]): MarkedSection | undefined {
  const [flag, file, ...others] = args
  if (flag === undefined) return undefined
  if (flag === '--write' && file !== undefined && others.length === 0) return new MarkedSection(file, 'table')
  throw new CommandError(`The arguments are '${args.join(' ')}'; there can be --write FILE alone.`)
}

function triedCases() {
  const lines = ['| case | states | steps | ends | |', '|---|--:|--:|--:|---|']
  let isBroken = false
  for (const { name, start } of QUESTIONS) {
    const { states, steps, ends, violation } = explore(start, PROTOCOL)
    lines.push(
      `| ${name} | ${count(states)} | ${count(steps)} | ${count(ends)} | ${violation?.rule ?? 'holds'} |`,
    )
    console.log(lines.at(-1))
    if (violation === undefined) continue
    isBroken = true
    for (const step of violation.steps) console.log(`    ${step}`)
  }
  return { lines, isBroken }
}

function triedRules() {
  const lines = ['| rule left out | what happens | found in a case of | after steps |', '|---|---|---|--:|']
  let isBroken = false
  for (const rule of RULES) {
    const found = firstViolation({ ...PROTOCOL, [rule]: false })
    if (found === undefined) isBroken = true
    lines.push(
      found === undefined
        ? `| \`${rule}\` | not noticed | | |`
        : `| \`${rule}\` | ${found.rule} | ${found.name} | ${found.steps} |`,
    )
    console.log(lines.at(-1))
  }
  return { lines, isBroken }
}

function firstViolation(protocol: Protocol) {
  for (const { name, start, isQuick } of QUESTIONS) {
    if (!isQuick) continue
    const { violation } = explore(start, protocol)
    if (violation !== undefined) return { name, rule: violation.rule, steps: violation.steps.length }
  }
  return undefined
}

function count(number: number): string {
  return number.toLocaleString('en')
}
