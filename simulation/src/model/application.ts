import { answered, applied } from './explanations.js'
import { copyAt, withCopy, withProcess } from './place.js'
import type { Protocol } from './protocol.js'
import { oldestView, stage } from './stage.js'
import type { Application, Copy, Need, Operation, Request, Sent, Side, World } from './world.js'

/** How an application's request is carried out, and each way in which the application may continue. */
export function carryOutForApplication(
  world: World,
  index: number,
  process: Application,
  sent: Sent,
  protocol: Protocol,
): readonly World[] {
  const step = { world, index, process, sent, protocol }
  switch (sent.request.kind) {
    case 'read':
      return read(step, sent.request.side)
    case 'write':
      return [write(step, sent.request.side, sent.request.needs)]
    case 'create':
      return [create(step, sent.request.side, sent.request.checksOther)]
    case 'mark':
      return [mark(step, sent.request.side)]
    case 'move':
      return [again(step, moved(world, sent))]
    case 'replace':
      return [replace(step, sent.request.side)]
    default:
      throw new Error(`An application sends no ${sent.request.kind}.`)
  }
}

/** The first request of an attempt, by what the process believes. */
export function firstRequest(operation: Operation, view: number, protocol: Protocol): Request {
  const { phase, source, target } = stage(view)
  const home = phase === 'moved' || phase === 'draining' ? target : source
  const isInBatch = operation.kind === 'put' && operation.isInBatch === true
  const isOnlyPlace = phase === 'settled' || !protocol.looksAtBothPlaces
  if (isInBatch && (isOnlyPlace || !protocol.batchesItemsOfOnePlace))
    return { kind: 'write', side: home, needs: 'nothing' }
  if (isOnlyPlace) {
    return operation.kind === 'read'
      ? { kind: 'read', side: home }
      : { kind: 'write', side: home, needs: 'unmarked' }
  }
  return { kind: 'read', side: protocol.looksAtSourceFirst ? source : target }
}

/** The move of a marked copy to the other side, by any process. */
export function moved(world: World, { request, item }: Sent): World {
  if (request.kind !== 'move') throw new Error('Only a move moves.')
  const here = copyAt(world, item, request.side)
  const there = copyAt(world, item, other(request.side))
  if (there !== undefined || here === undefined || here.mark !== request.mark) return world
  const emptied = withCopy(world, item, request.side, undefined)
  return withCopy(emptied, item, other(request.side), { value: request.value, mark: undefined })
}

/**
 * The name of a move. Real names are unique. Here two moves of equal copies share one, so that the cases stay small: then
 * the process that finishes the earlier move finishes the later one.
 */
export function markOf({ view }: Sent, value: number): string {
  return `${view}:${value}`
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

function read(step: Step, side: Side): readonly World[] {
  const { world, process, sent, protocol } = step
  const operation = current(process)
  const copy = copyAt(world, sent.item, side)
  const { phase, source, target } = stage(sent.view)
  const isOnlyPlace = phase === 'settled' || !protocol.looksAtBothPlaces
  if (operation.kind === 'read' && (copy !== undefined || isOnlyPlace)) {
    return [answer(step, world, copy === undefined ? 'nothing' : String(copy.value))]
  }
  if (copy !== undefined) return foundCopy(step, copy, side).map((request) => next(step, request))
  if (!process.firstLookFoundNothing) {
    return [next(step, { kind: 'read', side: other(side) }, { firstLookFoundNothing: true })]
  }
  const isAnsweredWithoutWriting = operation.kind === 'read' || operation.kind === 'delete'
  if (isAnsweredWithoutWriting) return [answer(step, world, 'nothing')]
  const isPlain = phase === 'draining' || (phase === 'moved' && !protocol.createsPlainlyAfterMoved)
  if (isPlain) return [next(step, { kind: 'write', side: target, needs: 'unmarked' })]
  const home = phase === 'moved' ? target : source
  return [next(step, { kind: 'create', side: home, checksOther: protocol.checksOtherPlace })]
}

/** What a writer may do with a copy. At the source it may move it first, or replace it in one step, or leave it there. */
function foundCopy({ process, sent, protocol }: Step, copy: Copy, side: Side): readonly Request[] {
  if (copy.mark !== undefined) return [{ kind: 'move', side, value: copy.value, mark: copy.mark }]
  const written: Request = { kind: 'write', side, needs: 'present and unmarked' }
  const { phase, source } = stage(sent.view)
  const mayMove =
    phase === 'moved' ||
    phase === 'draining' ||
    (phase === 'announced' && !protocol.writersMoveAfterAnnounced)
  if (!mayMove || side !== source) return [written]
  const { kind } = current(process)
  if (kind === 'delete') return [written]
  return [written, kind === 'put' ? { kind: 'replace', side } : { kind: 'mark', side }]
}

function mark(step: Step, side: Side): World {
  const { world, sent } = step
  const copy = copyAt(world, sent.item, side)
  if (copy === undefined) return again(step, world)
  const name = copy.mark ?? markOf(sent, copy.value)
  const marked = withCopy(world, sent.item, side, { ...copy, mark: name })
  return next({ ...step, world: marked }, { kind: 'move', side, value: copy.value, mark: name })
}

function replace(step: Step, side: Side): World {
  const { world, process, sent, protocol } = step
  const copy = copyAt(world, sent.item, side)
  if (copyAt(world, sent.item, other(side)) !== undefined) return again(step, world)
  if (copy === undefined && protocol.demandsPresence) return again(step, world)
  if (copy?.mark !== undefined && protocol.respectsMarks) return again(step, world)
  const { answer: given, value } = applied(current(process), copy?.value)
  const emptied = withCopy(world, sent.item, side, undefined)
  const put = value === undefined ? undefined : { value, mark: undefined }
  return answer(step, withCopy(emptied, sent.item, other(side), put), given)
}

function write(step: Step, side: Side, needs: Need): World {
  const { world, process, sent, protocol } = step
  const operation = current(process)
  const copy = copyAt(world, sent.item, side)
  if (copy === undefined && needs === 'present and unmarked' && protocol.demandsPresence)
    return again(step, world)
  const respectsMarks = needs !== 'nothing' && protocol.respectsMarks
  if (copy?.mark !== undefined && respectsMarks) return again(step, world)
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
  if (protocol.waitsForProcesses && sent.view < oldestView(world.stage)) return again(step, world)
  return withProcess(world, index, { ...process, ...learnt, sent: { ...sent, request } })
}

/** Begins the attempt again. */
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
