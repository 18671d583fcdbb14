import { readFileSync, writeFileSync } from 'node:fs'
import { explore } from './explore.js'
import { PROTOCOL, type Protocol } from './protocol.js'
import { QUESTIONS } from './questions.js'

// Tries everything that can happen in each small case, and each rule left out in turn; with --write FILE puts the tables
// into a document, between its markers.

const RULES = Object.keys(PROTOCOL) as (keyof Protocol)[]
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

lines.push('', '| rule left out | what happens | found in a case of | after steps |', '|---|---|---|--:|')
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

const [, , flag, file] = process.argv
if (flag === '--write' && file !== undefined) writeBetweenMarkers(file, lines.join('\n'))
process.exitCode = isBroken ? 1 : 0

function firstViolation(protocol: Protocol) {
  for (const { name, start, isQuick } of QUESTIONS) {
    if (!isQuick) continue
    const { violation } = explore(start, protocol)
    if (violation !== undefined) return { name, rule: violation.rule, steps: violation.steps.length }
  }
  return undefined
}

function writeBetweenMarkers(document: string, table: string): void {
  const text = readFileSync(document, 'utf8')
  const [before, , after] = text.split(/<!-- (?:begin|end) of the table -->\n/)
  if (before === undefined || after === undefined)
    throw new Error(`${document} has no markers for the table.`)
  writeFileSync(
    document,
    `${before}<!-- begin of the table -->\n${table}\n<!-- end of the table -->\n${after}`,
  )
}

function count(number: number): string {
  return number.toLocaleString('en')
}
