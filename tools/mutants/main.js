// Plants small bugs in the sources of a folder, or in single sources, one at a time, and lists those that no test notices.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { install } from '../installed-folder.js'
import { FOLDERS, floorOf, isFile, isFlat, isIn, pathOf, testsOf } from './folders.js'
import { outdatedFor, reasonOf } from './judged.js'
import { isSame, keepRun, lastRun, withNewer } from './last-run.js'
import { mutationRun } from './mutation-run.js'
import { record, shareOf } from './scores.js'

const USAGE = `npm run mutants -- FOLDER... [--again] [--all] [--jobs N] [--record]

Plants small bugs in the sources of a folder, or in single sources, one at a time, runs the tests beside the sources that execute the changed line, and lists
the bugs that no test notices.

  FOLDER     below packages/isotherm/src, packages/local/src or packages/semantics/src, such as ${FOLDERS[0].folder}/placement;
             with '/*' behind it, the folder's own files without the folders in it; or a source. Several must be of one folder
  --again    plant only the bugs that the last run of the same sources left, after you have added tests or stopped it
  --all      run all tests of the package for what the tests beside the sources miss: minutes for each bug
  --jobs N   processes at a time, 1 to 64 (default: one for each processor)
  --record   keep the score, and write it into docs/mutation-testing.md

Exit code: 0 if the score is high enough, 1 if it is not, 2 if the command is wrong.`

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

class Misuse extends Error {}

function argumentsOf(args) {
  const options = {
    again: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(availableParallelism()) },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  }
  const { values, positionals } = parsed({ args, options, allowPositionals: true })
  if (values.help) return { isHelp: true }
  if (positionals.length === 0) throw new Misuse(`Give a folder.\n\n${USAGE}`)
  const parts = positionals.map((given) => given.replace(/^\.\//, '').replace(/\/$/, ''))
  for (const part of parts) {
    if (testsOf(part) !== undefined && existsSync(`${root}/${pathOf(part)}`)) continue
    throw new Misuse(
      `${part} is no source to plant bugs in, and no folder of them. Choose one such as ${FOLDERS[0].folder}.`,
    )
  }
  const [tests, ...others] = parts.map(testsOf)
  if (others.some(({ near }) => near.join() !== tests.near.join())) {
    throw new Misuse(`${parts.join(' and ')} have different tests: give those of one folder.`)
  }
  const jobs = Number(values.jobs)
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64) {
    throw new Misuse(`--jobs ${values.jobs} must be a whole number from 1 to 64.`)
  }
  if (values.all && values.record) {
    throw new Misuse('--record keeps what the tests beside the sources notice: leave out --all.')
  }
  const { again: isAgain, all: isAll, record: isRecorded } = values
  return { isHelp: false, parts, tests, jobs, isAgain, isAll, isRecorded }
}

function parsed(config) {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new Misuse(error.message)
  }
}

/** The bugs of the parts, or those that their last runs have left and what is known of the others. */
async function plantedIn({ parts, tests, jobs, isAgain }) {
  const before = isAgain ? parts.flatMap(knownOf) : undefined
  const left = before?.filter((bug) => !bug.isNoticed && reasonOf(bug) === undefined)
  if (left?.length === 0) return before
  const all = (newer) => (before === undefined ? newer : withNewer(before, newer))
  const keep = (newer) => {
    for (const part of parts) keepRun(root, part, ofPart(part, all(newer)))
  }
  const planted = left === undefined ? parts.map(sourcesOf) : rangesOf(left)
  const bugs = all(await mutationRun(root, planted, tests.near, { jobs, keep }))
  keep(bugs)
  return bugs
}

function knownOf(part) {
  const bugs = lastRun(root, part)
  if (bugs !== undefined) return bugs
  throw new Misuse(`There is no run of ${part} with the sources as they are now: leave out --again.`)
}

const ofPart = (part, bugs) => bugs.filter(({ file }) => isIn(part, file))

function sourcesOf(part) {
  if (isFile(part)) return part
  return isFlat(part) ? `${part}.ts` : `${part}/**/*.ts`
}

const rangesOf = (bugs) => [...new Set(bugs.map(({ range }) => range))]

async function main(args) {
  const asked = argumentsOf(args)
  if (asked.isHelp) return console.log(USAGE)
  const { parts, tests, jobs, isAll, isRecorded } = asked
  // Its peer, Vitest, is the project's own.
  if (!install(fileURLToPath(new URL('.', import.meta.url)), { args: ['--legacy-peer-deps'] })) {
    throw new Error('npm could not install what is needed.')
  }
  process.chdir(root)
  const bugs = await plantedIn(asked)
  let missed = bugs.filter(({ isNoticed }) => !isNoticed)
  const unjudged = missed.filter((bug) => reasonOf(bug) === undefined)
  if (isAll && unjudged.length > 0) {
    console.log(
      `${unjudged.length} of ${bugs.length} are not noticed by the tests beside them. Now all tests of the package.`,
    )
    const again = await mutationRun(root, rangesOf(unjudged), tests.all, { jobs })
    const isNoticed = (bug) => again.some((each) => each.isNoticed && isSame(each, bug))
    missed = missed.filter((bug) => !isNoticed(bug))
  }
  const left = missed.filter((bug) => reasonOf(bug) === undefined)
  for (const { file, line, source, mutator, replacement } of left) {
    console.log(`\n${file}:${line}  ${mutator}\n  ${source}\n  -> ${replacement}`)
  }
  for (const part of parts) {
    for (const { file, source } of outdatedFor(part, missed)) {
      console.log(`\nOutdated in judged.json: ${file}  ${source}`)
    }
    const score = scoreOf(ofPart(part, bugs), ofPart(part, missed))
    const [share, floor] = [shareOf(score), floorOf(part)]
    console.log(
      `\n${part}: ${score.noticed} of ${score.planted} noticed, ${score.judged} judged to be no bug: ${(100 * share).toFixed(1)} %, to reach: ${100 * floor} %`,
    )
    if (isRecorded) record(part, score)
    if (share < floor) process.exitCode = 1
  }
}

function scoreOf(bugs, missed) {
  return {
    planted: bugs.length,
    noticed: bugs.length - missed.length,
    judged: missed.filter((bug) => reasonOf(bug) !== undefined).length,
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Misuse ? error.message : error)
  process.exitCode = 2
}
