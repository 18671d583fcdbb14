import { CommandError } from '../../command-error.js'
import { MarkedSection } from '../../commands/marked-section.js'
import { runCommand } from '../../commands/run-command.js'
import { CARD_RULES, type CardRules } from './card-rules.js'
import { startOf } from './card-world.js'
import { exploreCards } from './explore-cards.js'

// Tries everything that can happen between processes, the card of a table and one key of it, and each rule left out in turn; with
// --write FILE puts the tables into a document, between its markers.

const MOST_CHANGERS = 2

await runCommand('model of the card', () => {
  const section = sectionOf(process.argv.slice(2))
  const lines = ['| processes that change the count | states | steps | |', '|--:|--:|--:|---|']
  let isBroken = false
  for (let changers = 1; changers <= MOST_CHANGERS; changers++) {
    const { states, steps, violation } = exploreCards(startOf(changers), CARD_RULES)
    if (violation !== undefined) isBroken = true
    lines.push(`| ${changers} | ${count(states)} | ${count(steps)} | ${violation?.rule ?? 'holds'} |`)
  }
  lines.push('', '| rule left out | what happens | after steps |', '|---|---|--:|')
  for (const rule of Object.keys(CARD_RULES) as (keyof CardRules)[]) {
    const { violation } = exploreCards(startOf(MOST_CHANGERS), { ...CARD_RULES, [rule]: false })
    if (violation === undefined) isBroken = true
    lines.push(`| \`${rule}\` | ${violation?.rule ?? 'not noticed'} | ${violation?.steps.length ?? ''} |`)
  }
  for (const line of lines) console.log(line)
  section?.write(lines)
  return isBroken ? 1 : 0
})

function sectionOf(args: readonly string[]): MarkedSection | undefined {
  const [flag, file, ...others] = args
  if (flag === undefined) return undefined
  if (flag === '--write' && file !== undefined && others.length === 0) return new MarkedSection(file, 'card')
  throw new CommandError(`The arguments are '${args.join(' ')}'; there can be --write FILE alone.`)
}

function count(number: number): string {
  return number.toLocaleString('en')
}
