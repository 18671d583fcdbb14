import { MODE_NAMES } from '../runs/modes/mode.js'
import { WORKLOADS } from '../runs/settings.js'
import { SWITCHES } from '../runs/switches.js'

const LINE_CHARACTERS = 120
const INDENT = ' '.repeat(19)

/** What the command says of itself. */
export const HELP = `Simulates applications that use isotherm, and tries to break its guarantees.

  npm run simulate -- [options]

many seeds, until one breaks a guarantee:
  --seeds N        how many (100)
  --from N         the first of them; any by default, or the first that the record does not have
  --jobs N         processes that share them (one on each core)
  --record FILE    go on behind the seeds that the same library was clean with before, and write down those that are now
  --write FILE     put what the record holds into a document, between its markers

one seed:
  --seed N         this one alone
  --trace          show what happened to what a violation is about, line by line, or else everything

one script, as docs/interleavings.md describes them:
  --script FILE    run the tests of the file
  --mutant NAME    with this bug planted in the library

what a run is of:
  --seconds N      simulated seconds of load (120)
  --workload W,X   ${wrapped([...WORKLOADS, 'or all (the default)'])}
  --mode M         ${wrapped([...MODE_NAMES, 'or none (a fifth of the seeds have one)'])}
  --without X,Y    switch off: ${wrapped(Object.keys(SWITCHES), 'switch off: ')}
  --processes N    so many processes, whatever the seed says
  --writes N       so many writes a second
  --lateness X     requests arrive up to X times as late as the library was told (1): shows what the bound is for

what is left of a seed that breaks something:
  --save FILE      write a script of it, with which it happens again

can it fail?
  --mutants        plant each known bug in a copy of the library and look whether it is found
  --mutant NAME    only this one, by the name that docs/simulation.md has for it
  --modes          plant the bugs of modes, and look for them with the mode and without it
  --rates          plant each of them, and count how many are found in an hour with modes and without
  --write FILE     put what came of all of them into a document, between its markers

global tables:
  --regions        run two regions whose tables replicate, in each setup that docs/recovery.md has
  --seeds N        of each setup (30)
  --write FILE     put what came of them into a document, between its markers

  -h, --help       this`

/** Names with commas, in lines under each other; the first has less room by what stands before it. */
function wrapped(names: readonly string[], before = ''): string {
  const lines: string[] = []
  let line = before
  for (const [index, name] of names.entries()) {
    const text = index === names.length - 1 ? name : `${name}, `
    if (INDENT.length + line.length + text.length > LINE_CHARACTERS) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += text
  }
  return [...lines, line].join(`\n${INDENT}`).slice(before.length)
}
