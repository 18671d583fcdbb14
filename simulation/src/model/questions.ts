import type { Application, Driver, Operation, Value, World } from './world.js'

/** A small case, and everything that can happen in it is tried. */
export interface Question {
  readonly name: string
  readonly start: World
  /** Seconds rather than minutes. */
  readonly isQuick: boolean
}

/** From one *settled* to the next. */
const STAGES_OF_A_CHANGE = 4

/** Operations of different processes have numbers that do not meet. */
const NUMBERS_OF_A_PROCESS = 10

const put = (value: number, item = 0): Operation => ({ kind: 'put', item, value })
const putInBatch = (value: number, item = 0): Operation => ({ kind: 'put', item, value, isInBatch: true })
const create = (value: number, item = 0): Operation => ({ kind: 'create', item, value })
const increment = (item = 0): Operation => ({ kind: 'increment', item })
const remove = (item = 0): Operation => ({ kind: 'delete', item })
const read = (item = 0): Operation => ({ kind: 'read', item })

/** The cases: 2 or 3 processes, 1 or 2 keys, 1 or 2 drivers, with and without a crash, most through two changes there and back. */
export const QUESTIONS: readonly Question[] = [
  question('two processes count and read a new item', true, {
    items: [undefined],
    operations: [
      [increment(), read()],
      [increment(), read()],
    ],
  }),
  question('an item is counted, deleted and created again', true, {
    items: [5],
    operations: [[increment()], [remove(), create(3)]],
  }),
  question('an item is replaced while others read it', true, {
    items: [5],
    operations: [
      [read(), read()],
      [put(7), read()],
    ],
  }),
  question('an item is put by a batch while another process counts it', true, {
    items: [5],
    operations: [[putInBatch(7), read()], [increment()]],
  }),
  question('two batches put an item while another process reads it, anybody crashes', false, {
    items: [undefined],
    operations: [[putInBatch(7)], [putInBatch(9)], [read()]],
    crashes: 1,
    changes: 1,
  }),
  question('two processes create the same item, anybody crashes', true, {
    items: [undefined],
    operations: [[create(1)], [create(2)]],
    crashes: 1,
  }),
  question('two drivers, two processes, anybody crashes', false, {
    items: [5],
    operations: [[increment()], [remove()]],
    drivers: 2,
    crashes: 1,
  }),
  question('two keys, two processes, anybody crashes', false, {
    items: [5, undefined],
    operations: [[increment(0)], [create(2, 1)]],
    drivers: 2,
    changes: 1,
    crashes: 1,
  }),
  question('three processes count, create and delete', false, {
    items: [undefined],
    operations: [[increment()], [create(4)], [remove()]],
  }),
  question('three processes, anybody crashes', false, {
    items: [5],
    operations: [[increment()], [put(9)], [read()]],
    crashes: 1,
    changes: 1,
  }),
  question('three processes and two keys', false, {
    items: [5, undefined],
    operations: [[increment(0)], [increment(1)], [remove(0)]],
  }),
  question('three processes and two keys, anybody crashes', false, {
    items: [5, undefined],
    operations: [[increment(0)], [create(2, 1)], [remove(0)]],
    changes: 1,
    crashes: 1,
  }),
]

interface Case {
  readonly items: readonly Value[]
  /** For each process, what it asks for in turn. */
  readonly operations: readonly (readonly Operation[])[]
  readonly drivers?: number
  readonly crashes?: number
  /** One change, or two there and back. */
  readonly changes?: 1 | 2
}

function question(
  name: string,
  isQuick: boolean,
  { items, operations, drivers = 1, crashes = 0, changes = 2 }: Case,
): Question {
  const applications = operations.map((list, index) => application(list, index * NUMBERS_OF_A_PROCESS))
  const start: World = {
    stage: 0,
    items: items.map((value) => ({
      first: value === undefined ? undefined : { value, mark: undefined },
      second: undefined,
    })),
    processes: [...applications, ...Array.from({ length: drivers }, driver)],
    crashesLeft: crashes,
    lastStage: changes * STAGES_OF_A_CHANGE,
    explanations: [{ values: items, answers: {} }],
  }
  return { name, isQuick, start }
}

function application(operations: readonly Operation[], number: number): Application {
  return {
    role: 'application',
    operations,
    number,
    begun: false,
    firstLookFoundNothing: false,
    sent: undefined,
    view: 0,
  }
}

function driver(): Driver {
  return { role: 'driver', passedItems: 0, sent: undefined, view: 0 }
}
