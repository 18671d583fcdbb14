import { describe, expect, it } from 'vitest'
import { MUTANTS } from '../mutants/mutants.js'
import { WORKLOADS } from '../runs/settings.js'
import { NO_ADJUSTMENTS, SWITCHES } from '../runs/switches.js'
import { OPTIONS, parsed } from './command-line.js'
import { HELP } from './help.js'

const words = (text: string) => text.split(' ').filter((word) => word !== '')

describe('the command line', () => {
  it('asks for a hundred seeds by default, and for whole runs', () => {
    expect(parsed([])).toEqual({
      kind: 'many seeds',
      seeds: 100,
      from: undefined,
      jobs: undefined,
      how: { seconds: 120, workloads: WORKLOADS, adjustments: NO_ADJUSTMENTS },
      record: undefined,
      write: undefined,
    })
  })

  it('asks for one seed, changed in parts', () => {
    const line = '--seed 7 --seconds 20 --workload queue,pool --without sdk,plain-writers'
    expect(parsed(words(`${line} --processes 3 --writes 5 --lateness 2.5 --trace`))).toEqual({
      kind: 'one seed',
      request: {
        seed: 7,
        seconds: 20,
        workloads: ['queue', 'pool'],
        adjustments: {
          ...NO_ADJUSTMENTS,
          without: ['sdk', 'plain-writers'],
          processes: 3,
          writesPerSecond: 5,
          lateness: 2.5,
        },
      },
      trace: true,
    })
  })

  it('records whole runs', () => {
    const line = '--record a --seconds 10 --workload all --lateness 1'
    expect(parsed(words(line))).toMatchObject({ record: 'a', how: { seconds: 10 } })
  })

  it('takes the last seed that there is', () => {
    expect(parsed(words('--from 4294967293 --seeds 3'))).toMatchObject({ from: 4_294_967_293, seeds: 3 })
  })

  it('asks how many planted bugs are found in an hour', () => {
    expect(parsed(words('--rates --write a.md'))).toEqual({ kind: 'rate hunt', write: 'a.md' })
  })

  it('asks for all planted bugs, or for one', () => {
    expect(parsed(words('--mutants --write a.md'))).toEqual({ kind: 'hunt', mutants: MUTANTS, write: 'a.md' })
    const name = 'a driver does not wait'
    expect(parsed(['--mutant', name])).toMatchObject({ kind: 'hunt', mutants: [{ name }] })
  })

  it.each([
    ['--lateness abc', "--lateness is 'abc'; it must be a number from 0 to 100."],
    ['--lateness -1', "--lateness is '-1'; it must be a number from 0 to 100."],
    ['--seeds -5', "--seeds is '-5'; it must be a whole number from 1 to 1000000000."],
    ['--seed=1 --seed=2', '--seed is given twice; leave one of the two out.'],
    ['--trace --seed 1 --trace', '--trace is given twice; leave one of the two out.'],
    [
      '--from 4294967295 --seeds 3',
      "--seeds is '3', which from 4294967295 on ends at 4294967297; seeds end at 4294967295, so ask for fewer.",
    ],
    ['--seeds 0', "--seeds is '0'; it must be a whole number from 1 to 1000000000."],
    ['--seeds ten', "--seeds is 'ten'; it must be a whole number from 1 to"],
    ['--seed 4294967296', "--seed is '4294967296'; it must be a whole number from 0 to 4294967295."],
    ['--seconds 0', "--seconds is '0'; it must be a whole number from 1 to 86400."],
    ['--seconds 1.5', "--seconds is '1.5'; it must be a whole number"],
    ['--processes 0', "--processes is '0'; it must be a whole number from 1 to 1000."],
    ['--writes 0', "--writes is '0'; it must be a whole number from 1 to 10000."],
    ['--jobs 0', "--jobs is '0'; it must be a whole number from 1 to 256."],
    ['--workload nosuch', "--workload is 'nosuch'; it must be one or more of hot-key-ramp, "],
    ['--workload queue,queue', "--workload is 'queue,queue'; it must be one or more of hot-key-ramp, "],
    ['--without nosuch', "--without is 'nosuch'; it must be one or more of lost-requests, "],
    ['--without toString', "--without is 'toString'; it must be one or more of lost-requests, "],
    ['--mode nosuch', "--mode is 'nosuch'; it must be one of beyond-the-bound, "],
    [
      '--mode table-limit --workload queue',
      "--mode is 'table-limit', which shows nothing in queue; choose a workload of ",
    ],
    ['--mutant nosuch', "--mutant is 'nosuch'; it must be the name of a planted bug"],
    ['--nosuch', "Unknown option '--nosuch'. See --help."],
    ['nosuch', "Unexpected argument 'nosuch'. See --help."],
    ['--seeds', "Option '--seeds <value>' argument missing. See --help."],
    ['--trace=yes', "Option '--trace' does not take an argument. See --help."],
  ])('refuses %s', (line, sentence) => {
    expect(() => parsed(words(line))).toThrow(sentence)
  })

  it.each([
    ['--write a.md', "--write is 'a.md', for what a record holds or what came of planted bugs; add --record"],
    ['--mutants --seeds 5', "--seeds is '5', and the hunt for planted bugs goes on without it; leave one of"],
    ['--mutants --record a', "--record is 'a', and the hunt for planted bugs goes on without it"],
    ['--rates --seeds 5', "--seeds is '5', and --rates hunts all planted bugs; leave one of the two out."],
    ['--seed 1 --seeds 5', "--seeds is '5', and --seed runs that seed alone; leave one of the two out."],
    ['--seed 1 --record a', "--record is 'a', and --seed runs that seed alone; leave one of the two out."],
    ['--seeds 5 --trace', '--trace is of one run; name its seed with --seed.'],
    [
      '--record a --without sdk',
      "--record is 'a', of whole runs, and --without makes them others; leave one",
    ],
    [
      '--record a --lateness 2',
      "--record is 'a', of whole runs, and --lateness makes them others; leave one",
    ],
  ])('refuses what would say nothing: %s', (line, sentence) => {
    expect(() => parsed(words(line))).toThrow(sentence)
  })

  it('refuses a table of one planted bug in the place of that of all', () => {
    expect(() => parsed(['--mutant', 'a driver does not wait', '--write', 'a.md'])).toThrow(
      "--write is 'a.md', for a table of all planted bugs; leave --mutant out.",
    )
  })
})

describe('the help', () => {
  it.each(Object.keys(OPTIONS))('tells of --%s', (name) => expect(HELP).toContain(`--${name} `))
  it.each([...WORKLOADS, ...Object.keys(SWITCHES)])('knows %s', (name) => expect(HELP).toContain(name))
  it('fits a screen', () => {
    for (const line of HELP.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
  })
})
