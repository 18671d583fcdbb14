import { moved, stage } from './application.js'
import { copyAt, withCopy, withProcess } from './place.js'
import type { Protocol } from './protocol.js'
import { type Driver, type Request, type Sent, STAGES, type World } from './world.js'

/** What a driver sends next, by what it believes; nothing when the last stage is reached. */
export function nextOfDriver(
  { passedItems }: Driver,
  view: number,
  items: number,
  protocol: Protocol,
): { readonly request: Request; readonly item: number } | undefined {
  const last = STAGES.length - 1
  if (view >= last) return undefined
  const { phase, source } = stage(view)
  if (phase === 'moved' && protocol.verifiesEmpty && passedItems < items) {
    return { request: { kind: 'mark', side: source }, item: passedItems }
  }
  const to = phase === 'settled' && !protocol.announces ? view + 2 : view + 1
  return { request: { kind: 'advance', to }, item: 0 }
}

/** Whether the driver may send it yet: it waits until nobody can be in the phase before. */
export function hasWaited(world: World, request: Request, view: number, protocol: Protocol): boolean {
  if (request.kind === 'move') return true
  if (request.kind === 'mark' && !protocol.drainsAfterMoved) return true
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
  const mark = copy.mark ?? `${sent.view}`
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
