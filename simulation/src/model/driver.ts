import { markOf, moved } from './application.js'
import { copyAt, withCopy, withProcess } from './place.js'
import type { Protocol } from './protocol.js'
import { stage } from './stage.js'
import type { Driver, Request, Sent, World } from './world.js'

interface Next {
  readonly request: Request
  readonly item: number
}

/** What a driver may send next, by what it believes; nothing when the last stage is reached. */
export function nextOfDriver(
  { passedItems }: Driver,
  view: number,
  { items, lastStage }: World,
  protocol: Protocol,
): readonly Next[] {
  if (view >= lastStage) return []
  const { phase, source } = stage(view)
  const to = phase === 'settled' && !protocol.announces ? view + 2 : view + 1
  const advance: Next = { request: { kind: 'advance', to }, item: 0 }
  const mark: Next = { request: { kind: 'mark', side: source }, item: passedItems }
  // Items may move from the beginning of the phase on. That proves nothing yet.
  if (phase === 'moved') {
    const mayMove = passedItems < items.length
    return protocol.provesAfterMoved ? [...(mayMove ? [mark] : []), advance] : [mayMove ? mark : advance]
  }
  const isProof = phase === 'draining' && protocol.verifiesEmpty && protocol.provesAfterMoved
  return [isProof && passedItems < items.length ? mark : advance]
}

/**
 * Whether the driver may send it yet. It leaves *announced* and *moved* when nobody can be in the phase before. It leaves the other
 * phases at once.
 */
export function hasWaited(world: World, request: Request, view: number, protocol: Protocol): boolean {
  const { phase } = stage(view)
  if (request.kind !== 'advance' || phase === 'draining' || phase === 'settled') return true
  return world.processes.every(({ role, view: seen, sent }) => {
    const isLate = protocol.boundsLateRequests && sent !== undefined && sent.view < view
    const isBehind = protocol.waitsForProcesses && role !== 'crashed' && sent === undefined && seen < view
    return !isLate && !isBehind
  })
}

/** How a driver's request is carried out, and what the driver sends next. */
export function carryOutForDriver(
  world: World,
  index: number,
  driver: Driver,
  sent: Sent,
  protocol: Protocol,
): World {
  const { request } = sent
  if (request.kind === 'advance') {
    const isFirst = world.stage === sent.view
    const idle: Driver = { ...driver, passedItems: 0, sent: undefined }
    return withProcess(isFirst ? { ...world, stage: request.to } : world, index, idle)
  }
  if (request.kind === 'move') {
    return withProcess(moveForDriver(world, sent, protocol), index, { ...driver, sent: undefined })
  }
  if (request.kind !== 'mark') throw new Error(`A driver sends no ${request.kind}.`)
  const copy = copyAt(world, sent.item, request.side)
  if (copy === undefined) {
    return withProcess(world, index, { ...driver, passedItems: driver.passedItems + 1, sent: undefined })
  }
  const mark = copy.mark ?? markOf(sent, copy.value)
  const marked = protocol.marksBeforeMoving
    ? withCopy(world, sent.item, request.side, { ...copy, mark })
    : world
  const move: Request = { kind: 'move', side: request.side, value: copy.value, mark }
  return withProcess(marked, index, { ...driver, sent: { ...sent, request: move } })
}

function moveForDriver(world: World, sent: Sent, protocol: Protocol): World {
  if (protocol.marksBeforeMoving || sent.request.kind !== 'move') return moved(world, sent)
  const { side, value, mark } = sent.request
  const copy = copyAt(world, sent.item, side)
  if (copy === undefined) return world
  // Without a mark the move demands only that something is there.
  return moved(withCopy(world, sent.item, side, { value: copy.value, mark }), {
    ...sent,
    request: { kind: 'move', side, value, mark },
  })
}
