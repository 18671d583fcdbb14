import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FOLDERS, floorOf } from './folders.js'

const FILE = fileURLToPath(new URL('./scores.json', import.meta.url))
const PAGE = fileURLToPath(new URL('../../docs/mutation-testing.md', import.meta.url))
const [BEGIN, END] = ['<!-- scores: npm run mutants -- FOLDER --record -->', '<!-- /scores -->']

/** Keeps the score of a folder, and writes the table of all of them. */
export function record(folder, score) {
  const scores = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}
  scores[folder] = score
  const sorted = Object.fromEntries(Object.entries(scores).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`)
  const page = readFileSync(PAGE, 'utf8')
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`${PAGE} must hold ${BEGIN} and, behind it, ${END}.`)
  writeFileSync(PAGE, `${page.slice(0, from)}${BEGIN}\n\n${tableOf(sorted)}\n\n${page.slice(to)}`)
}

/** The share of bugs that are noticed, of those that change what the program does. */
export function shareOf({ planted, noticed, judged }) {
  return planted === judged ? 1 : noticed / (planted - judged)
}

function tableOf(scores) {
  const measured = Object.entries(scores).map(
    ([folder, score]) =>
      `| \`${folder}\` | ${score.planted} | ${score.noticed} | ${score.judged} | ${percent(shareOf(score))} | ${percent(floorOf(folder))} |`,
  )
  const missing = FOLDERS.filter(({ folder }) => scores[folder] === undefined).map(
    ({ folder, floor }) => `| \`${folder}\` | not measured yet | | | | ${percent(floor)} |`,
  )
  const head = '| folder | planted | noticed | no bug | score | to reach |\n|---|--:|--:|--:|--:|--:|'
  return [head, ...measured, ...missing].join('\n')
}

function percent(share) {
  return `${(100 * share).toFixed(1).replace('.0', '')} %`
}
