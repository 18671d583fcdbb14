import { answered, applied } from './explanations.js'
import { copyAt, withCopy, withProcess } from './place.js'
import type { Protocol } from './protocol.js'
import {
  type Application,
  type Copy,
  type Operation,
  type Request,
  type Sent,
  type Side,
  STAGES,
  type World,
} from './world.js'

/** How an application's request is carried out, and what the application sends next. */
export function carryOutForApplication(
  world: World,
  index: number,
  process: Application,
  sent: Sent,
  protocol: Protocol,
): World {
  const step = { world, index, process, sent, protocol }
  switch (sent.request.kind) {
    case 'read':
      return read(step, sent.request.side)
    case 'write':
      return write(step, sent.request.side, sent.request.needs)
    case 'create':
      return create(step, sent.request.side, sent.request.checksOther)
    case 'move':
      return again(step, moved(world, sent))
    default:
      throw new Error(`An application sends no ${sent.request.kind}.`)
  }
}

/** The first request of an attempt, by what the process believes. */
export function firstRequest(operation: Operation, view: number, protocol: Protocol): Request {
  const { phase, source, target } = stage(view)
  const home = phase === 'moved' ? target : source
  if (phase === 'settled' || !protocol.looksAtBothPlaces) {
    return operation.kind === 'read'
      ? { kind: 'read', side: home }
      : { kind: 'write', side: home, needs: 'unmarked' }
  }
  return { kind: 'read', side: protocol.looksAtSourceFirst ? source : target }
}

/** The move of a marked copy to the other side, whoever finishes it. */
export function moved(world: World, { request, item }: Sent): World {
  if (request.kind !== 'move') throw new Error('Only a move moves.')
  const here = copyAt(world, item, request.side)
  const there = copyAt(world, item, other(request.side))
  if (there !== undefined || here === undefined || here.mark !== request.mark) return world
  const emptied = withCopy(world, item, request.side, undefined)
  return withCopy(emptied, item, other(request.side), { value: request.value, mark: undefined })
}

function other(side: Side): Side {
  return side === 'first' ? 'second' : 'first'
}

interface Step {
  readonly world: World
  readonly index: number
  readonly process: Application
  readonly sent: Sent
  readonly protocol: Protocol
}

function read(step: Step, side: Side): World {
  const { world, process, sent, protocol } = step
  const operation = current(process)
  const copy = copyAt(world, sent.item, side)
  const { phase, source, target } = stage(sent.view)
  const isOnlyPlace = phase === 'settled' || !protocol.looksAtBothPlaces
  if (operation.kind === 'read' && (copy !== undefined || isOnlyPlace)) {
    return answer(step, world, copy === undefined ? 'nothing' : String(copy.value))
  }
  if (copy !== undefined) return next(step, foundCopy(copy, side))
  if (!process.firstLookFoundNothing) {
    return next(step, { kind: 'read', side: other(side) }, { firstLookFoundNothing: true })
  }
  const isAnsweredWithoutWriting = operation.kind === 'read' || operation.kind === 'delete'
  if (isAnsweredWithoutWriting) return answer(step, world, 'nothing')
  const home = phase === 'moved' ? target : source
  return next(step, { kind: 'create', side: home, checksOther: protocol.checksOtherPlace })
}

function foundCopy(copy: Copy, side: Side): Request {
  if (copy.mark !== undefined) return { kind: 'move', side, value: copy.value, mark: copy.mark }
  return { kind: 'write', side, needs: 'present and unmarked' }
}

function write(step: Step, side: Side, needs: 'unmarked' | 'present and unmarked'): World {
  const { world, process, sent, protocol } = step
  const operation = current(process)
  const copy = copyAt(world, sent.item, side)
  if (copy === undefined && needs === 'present and unmarked' && protocol.demandsPresence)
    return again(step, world)
  if (copy?.mark !== undefined && protocol.respectsMarks) return again(step, world)
  const { answer: given, value } = applied(operation, copy?.value)
  const mark = operation.kind === 'put' ? undefined : copy?.mark
  const written = withCopy(world, sent.item, side, value === undefined ? undefined : { value, mark })
  return answer(step, written, given)
}

function create(step: Step, side: Side, checksOther: boolean): World {
  const { world, process, sent } = step
  const isTaken = copyAt(world, sent.item, side) !== undefined
  const isElsewhere = checksOther && copyAt(world, sent.item, other(side)) !== undefined
  if (isTaken || isElsewhere) return again(step, world)
  const { answer: given, value } = applied(current(process), undefined)
  const copy = value === undefined ? undefined : { value, mark: undefined }
  return answer(step, withCopy(world, sent.item, side, copy), given)
}

/** Goes on with the attempt, if what it goes by may still be used. */
function next(step: Step, request: Request, learnt: Partial<Application> = {}): World {
  const { world, index, process, sent, protocol } = step
  if (protocol.waitsForProcesses && sent.view < world.stage - 1) return again(step, world)
  return withProcess(world, index, { ...process, ...learnt, sent: { ...sent, request } })
}

/** Begins the attempt anew. */
function again({ index, process }: Step, world: World): World {
  return withProcess(world, index, { ...process, firstLookFoundNothing: false, sent: undefined })
}

function answer({ index, process }: Step, world: World, given: string): World {
  const explanations = answered(world.explanations, begunOperations(world), process.number, given)
  const [, ...operations] = process.operations
  const rested: Application = {
    ...process,
    operations,
    number: process.number + 1,
    begun: false,
    firstLookFoundNothing: false,
    sent: undefined,
  }
  return withProcess({ ...world, explanations }, index, rested)
}

/** Operations that have begun and are not answered, by number. */
export function begunOperations({ processes }: World): ReadonlyMap<number, Operation> {
  const begun = new Map<number, Operation>()
  for (const process of processes) {
    if (process.role === 'application' && process.begun) begun.set(process.number, current(process))
    if (process.role === 'crashed' && process.operation !== undefined)
      begun.set(process.number, process.operation)
  }
  return begun
}

export function current({ operations: [operation] }: Application): Operation {
  if (operation === undefined) throw new Error('The process has no operation left.')
  return operation
}

export function stage(view: number): (typeof STAGES)[number] {
  const found = STAGES[view]
  if (found === undefined) throw new Error(`There is no stage ${view}.`)
  return found
}
