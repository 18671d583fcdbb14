import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FOLDERS, floorOf, isFile, isFlat, pathOf } from './folders.js'

const FILE = fileURLToPath(new URL('./scores.json', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
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

/** The score of a large folder: the sum of the folders in it and the files beside them. `undefined` until each of them is measured. */
function sumOf(folder, scores) {
  const parts = partsOf(folder).map(
    (part) => scores[part] ?? (isFile(part) ? undefined : sumOf(part, scores)),
  )
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  const sum = (name) => parts.reduce((total, part) => total + part[name], 0)
  return { planted: sum('planted'), noticed: sum('noticed'), judged: sum('judged') }
}

function partsOf(folder) {
  const path = pathOf(folder)
  const entries = readdirSync(`${ROOT}/${path}`, { withFileTypes: true })
  const files = entries.filter(({ name }) => isSource(name)).map(({ name }) => `${path}/${name}`)
  if (isFlat(folder)) return files
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${path}/${name}`)
  return files.length > 0 ? [...folders, `${path}/*`] : folders
}

/** An index only exports again, so there is nothing in it to plant. */
function isSource(name) {
  return name.endsWith('.ts') && name !== 'index.ts' && !/\.(test|fixture|behaviour)\.ts$/.test(name)
}

function tableOf(scores) {
  const sums = FOLDERS.filter(({ folder }) => scores[folder] === undefined)
    .map(({ folder }) => [folder, sumOf(folder, scores)])
    .filter(([, score]) => score !== undefined)
  const known = Object.fromEntries([...Object.entries(scores), ...sums])
  const measured = Object.entries(known)
    .filter(([part]) => !isFile(part))
    .map(
      ([folder, score]) =>
        `| \`${folder}\` | ${score.planted} | ${score.noticed} | ${score.judged} | ${percent(shareOf(score))} | ${percent(floorOf(folder))} |`,
    )
  const missing = FOLDERS.filter(({ folder }) => known[folder] === undefined).map(
    ({ folder, floor }) => `| \`${folder}\` | not measured yet | | | | ${percent(floor)} |`,
  )
  const head = '| folder | planted | noticed | no bug | score | to reach |\n|---|--:|--:|--:|--:|--:|'
  return [head, ...measured, ...missing].join('\n')
}

function percent(share) {
  return `${(100 * share).toFixed(1).replace('.0', '')} %`
}
